// The whole history in a narrow band: how many operations were open at the same time, where the core is, and which
// part the timeline shows. A click or a drag moves the timeline there.
import type { Palette } from './palette.ts';
import type { Scene } from './scene.ts';

export class Overview {
  private readonly context: CanvasRenderingContext2D;
  private open: Float64Array = new Float64Array(0); // by pixel
  private computedFor: unknown[] = [];

  constructor(readonly canvas: HTMLCanvasElement, moveTo: (place: number) => void) {
    this.context = canvas.getContext('2d')!;
    const move = (event: PointerEvent) => {
      const { left, width } = canvas.getBoundingClientRect();
      const share = Math.min(Math.max((event.clientX - left - this.left) / (width - this.left), 0), 1);
      moveTo(share);
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      move(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons !== 0) move(event);
    });
  }

  left = 0;

  draw(scene: Scene, palette: Palette, from: number, to: number, ratio: number): void {
    const { canvas, context } = this;
    const width = Math.round(canvas.clientWidth - this.left);
    const height = canvas.clientHeight;
    if (width <= 0) return;
    this.count(scene, width);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, height);
    context.translate(this.left, 0);
    const most = this.open.reduce((a, b) => Math.max(a, b), 1);
    context.beginPath();
    context.moveTo(0, height - 1);
    for (let x = 0; x < width; ++x) context.lineTo(x + 0.5, height - 1 - (this.open[x] / most) * (height - 8));
    context.lineTo(width, height - 1);
    context.fillStyle = palette.faint;
    context.globalAlpha = 0.28;
    context.fill();
    context.globalAlpha = 1;
    const { length, start, end } = scene.axis;
    const place = (at: number) => (at / length) * width;
    if (scene.marked !== null) this.drawMatches(scene, palette, width, height);
    context.fillStyle = palette.core;
    for (const row of scene.core) {
      if (scene.lanes.laneOf[row] < 0) continue;
      const x = place(start[row]);
      context.fillRect(x - 1, 0, Math.max(place(end[row]) - x, 2), 4);
    }
    const left = Math.max(place(from), 0);
    const right = Math.min(place(to), width);
    context.fillStyle = palette.accent;
    context.globalAlpha = 0.12;
    context.fillRect(left, 0, Math.max(right - left, 2), height);
    context.globalAlpha = 0.9;
    context.fillRect(left, 0, 1.5, height);
    context.fillRect(Math.max(right - 1.5, left + 2), 0, 1.5, height);
    context.globalAlpha = 1;
  }

  private drawMatches(scene: Scene, palette: Palette, width: number, height: number): void {
    const seen = new Uint8Array(width + 1);
    const { start, length } = scene.axis;
    const marked = scene.marked!;
    for (let row = 0; row < marked.length; ++row) {
      if (marked[row] === 1 && scene.lanes.laneOf[row] >= 0) seen[Math.floor((start[row] / length) * width)] = 1;
    }
    this.context.fillStyle = `rgb(${palette.match.join(',')})`;
    for (let x = 0; x < width; ++x) if (seen[x] === 1) this.context.fillRect(x - 0.5, height - 6, 2, 6);
  }

  /** How many operations are open on average in each pixel. */
  private count(scene: Scene, width: number): void {
    const key = [scene.axis, width];
    if (key.every((part, i) => part === this.computedFor[i])) return;
    this.computedFor = key;
    const { start, end, length } = scene.axis;
    const { rows } = scene.lanes;
    const change = new Float64Array(width + 2);
    const scale = width / length;
    for (let k = 0; k < rows.length; ++k) {
      const from = start[rows[k]] * scale;
      const to = Math.min(end[rows[k]] * scale, width);
      const first = Math.min(Math.floor(from), width - 1);
      const last = Math.min(Math.floor(to), width - 1);
      // A trapezoid's differences: parts of the first and the last pixel, all of those between.
      if (first === last) {
        change[first] += to - from;
        change[first + 1] -= to - from;
      } else {
        change[first] += first + 1 - from;
        change[first + 1] += from - first;
        change[last] += to - last - 1;
        change[last + 1] -= to - last;
      }
    }
    this.open = new Float64Array(width);
    for (let x = 0, sum = 0; x < width; ++x) this.open[x] = sum += change[x];
  }
}
