// The colours of the canvas, from the style sheet's variables: they change with the theme.
export type Rgb = [number, number, number];

export interface Palette {
  background: Rgb;
  surface: string;
  ink: string;
  faint: string;
  line: string;
  accent: string;
  core: string;
  match: Rgb;
  dot: string;
  methods: Rgb[];
}

export const kColours = 6;

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const text = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: rgb(text('--canvas')),
    surface: text('--canvas'),
    ink: text('--ink'),
    faint: text('--faint'),
    line: text('--line'),
    accent: text('--accent'),
    core: text('--core'),
    match: rgb(text('--match')),
    dot: text('--dot'),
    methods: Array.from({ length: kColours }, (_, i) => rgb(text(`--method-${i}`))),
  };
}

export function rgb(hex: string): Rgb {
  const number = parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}
export function css([r, g, b]: Rgb, alpha = 1): string {
  return `rgba(${Math.round(r)},${Math.round(g)},${Math.round(b)},${alpha})`;
}
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}
