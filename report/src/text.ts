// Texts and numbers as the page writes them.

export function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > room) --length;
  return `${text.slice(0, length)}…`;
}

export function grouped(number: number): string {
  return number.toLocaleString('en').replace(/,/g, ' ');
}
/** 1 500 000 as 1.5 M: exact, since what is no round number keeps its digits. */
export function compact(number: number): string {
  for (const [unit, suffix] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    if (number >= unit && Number.isInteger((number / unit) * 1e4)) return `${number / unit} ${suffix}`;
  }
  return grouped(number);
}
