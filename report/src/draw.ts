// Draws lanes of operations. Few operations are drawn one by one; many as strips, where each column of pixels is filled
// as far as operations cover it, with the colours of their methods in proportion. Stretches of neighbours are looked up
// in sums, so the cost depends on the pixels alone.
import { css, mix, type Palette, type Rgb } from './palette.ts';
import type { Scene } from './scene.ts';

/** Where one looks, in CSS pixels of the canvas. */
export interface View {
  from: number; // places of the axis
  to: number;
  left: number; // the canvas's part for lanes
  top: number;
  width: number;
  height: number;
  laneHeight: number;
  scroll: number; // pixels of lanes above the top
}

const kDetailed = 6000; // operations drawn one by one
const kMostCore = 5000; // operations of the core marked over strips
const kNarrow = 3; // pixels of the narrowest mark of the core or of a match

export function xOf(view: View, place: number): number {
  return view.left + ((place - view.from) / (view.to - view.from)) * view.width;
}
export function yOf(view: View, lane: number): number {
  return view.top + lane * view.laneHeight - view.scroll;
}
export function lanesInView(scene: Scene, view: View): [number, number] {
  const first = Math.max(0, Math.floor(view.scroll / view.laneHeight));
  const last = Math.ceil((view.scroll + view.height) / view.laneHeight);
  return [first, Math.min(scene.lanes.lanes.length, last)];
}

/** `lines` draws what lies behind single operations, and over strips. */
export function drawLanes(
  context: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette, ratio: number, lines: () => void,
): void {
  const [firstLane, endLane] = lanesInView(scene, view);
  let visible = 0;
  for (let lane = firstLane; lane < endLane; ++lane) {
    const [begin, end] = scene.lanes.visible(scene.axis, lane, view.from, view.to);
    visible += end - begin;
  }
  const detailed = visible <= kDetailed && view.laneHeight >= 5;
  if (detailed) {
    lines();
    for (let lane = firstLane; lane < endLane; ++lane) drawOperations(context, scene, view, palette, lane);
    for (let lane = firstLane; lane < endLane; ++lane) ringCore(context, scene, view, palette, lane);
  } else {
    drawStrips(context, scene, view, palette, ratio, firstLane, endLane);
    lines();
  }
  if (!detailed) drawCore(context, scene, view, palette);
}

let image: ImageData | null = null;

function drawStrips(
  context: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette, ratio: number,
  firstLane: number, endLane: number,
): void {
  const width = Math.round(view.width * ratio);
  const height = Math.round(view.height * ratio);
  if (width <= 0 || height <= 0) return;
  // One image for all frames of a size: making one costs as much as filling it.
  if (image?.width !== width || image.height !== height) image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const [r, g, b] = palette.background;
  pixels.fill(packed(r, g, b));
  const cover = new Float32Array(width * scene.sums.colours.length);
  const marks = new Float32Array(width);
  const gap = view.laneHeight >= 6 ? Math.max(1, Math.round(ratio)) : 0;
  for (let lane = firstLane; lane < endLane; ++lane) {
    const stretch = coverLane(scene, view, lane, width, cover, marks);
    if (stretch === 0) continue;
    const top = Math.max(0, Math.round((yOf(view, lane) - view.top) * ratio) + gap);
    const bottom = Math.min(height, Math.max(Math.round((yOf(view, lane + 1) - view.top) * ratio) - gap, top + 1));
    const fill = stretch === 1 ? blend : stack;
    fill(scene, palette, width, cover, marks, pixels, top, bottom);
  }
  context.putImageData(image, Math.round(view.left * ratio), Math.round(view.top * ratio));
}

/**
 * How much of each pixel of a lane the operations of each colour cover. Gives how many operations were taken together;
 * 0: there are none.
 */
function coverLane(
  scene: Scene, view: View, lane: number, width: number, cover: Float32Array, marks: Float32Array,
): number {
  const { axis, lanes, sums } = scene;
  const [begin, end] = lanes.visible(axis, lane, view.from, view.to);
  if (begin === end) return 0;
  cover.fill(0);
  marks.fill(0);
  // Stretches of 1, 2, 4... operations, one or two a pixel; they begin at multiples, so that nothing flickers when the
  // view moves.
  let stretch = 1;
  while ((end - begin) / stretch > 1.5 * width) stretch *= 2;
  const scale = width / (view.to - view.from);
  const { rows } = lanes;
  for (let at = begin - (begin % stretch); at < end; at += stretch) {
    const low = Math.max(at, lanes.begin[lane]);
    const high = Math.min(at + stretch, lanes.begin[lane + 1]);
    const count = high - low;
    const from = (axis.start[rows[low]] - view.from) * scale;
    let to = (axis.end[rows[high - 1]] - view.from) * scale;
    const busy = Math.max((sums.length[high] - sums.length[low]) * scale, Math.min(0.75 * count, to - from));
    to = Math.max(to, from + 1); // whatever is there is seen
    const density = Math.min(1, Math.max(busy, 0.75) / (to - from));
    const marked = sums.marked === null ? 0 : (sums.marked[high] - sums.marked[low]) / count;
    for (let colour = 0; colour < sums.colours.length; ++colour) {
      const share = (sums.colours[colour][high] - sums.colours[colour][low]) / count;
      if (share > 0) add(cover, colour * width, width, from, to, density * share);
    }
    // One match among thousands is seen as well.
    if (marked > 0) add(marks, 0, width, from, to, Math.max(density * marked, 0.6));
  }
  return stretch;
}

function add(cover: Float32Array, offset: number, width: number, from: number, to: number, amount: number): void {
  from = Math.max(from, 0);
  to = Math.min(to, width);
  if (to <= from) return;
  const first = Math.floor(from);
  const last = Math.ceil(to) - 1;
  if (first === last) {
    cover[offset + first] += (to - from) * amount;
    return;
  }
  cover[offset + first] += (first + 1 - from) * amount;
  for (let x = first + 1; x < last; ++x) cover[offset + x] += amount;
  cover[offset + last] += (to - last) * amount;
}

/** Fills the columns of a lane in which operations are seen one by one: with as much colour as they cover of a pixel. */
function blend(
  scene: Scene, palette: Palette, width: number, cover: Float32Array, marks: Float32Array, pixels: Uint32Array,
  top: number, bottom: number,
): void {
  const colours = scene.sums.colours.length;
  const fade = scene.marked !== null ? 0.25 : 0.75;
  for (let x = 0; x < width; ++x) {
    let all = 0;
    let mixed: Rgb = palette.background;
    for (let colour = 0; colour < colours; ++colour) {
      const amount = cover[colour * width + x];
      if (amount === 0) continue;
      all += amount;
      mixed = mix(mixed, palette.methods[colour], amount / all);
    }
    if (all === 0) continue;
    const shade = mix(mix(palette.background, mixed, Math.min(all, 1) * fade), palette.match, Math.min(marks[x], 1));
    const colour = packed(...shade);
    for (let y = top; y < bottom; ++y) pixels[y * width + x] = colour;
  }
}

/** Fills the columns of a lane from the bottom, one colour on the other. */
function stack(
  scene: Scene, palette: Palette, width: number, cover: Float32Array, marks: Float32Array, pixels: Uint32Array,
  top: number, bottom: number,
): void {
  const colours = scene.sums.colours.length;
  const fade = scene.marked !== null ? 0.25 : 0.75;
  const solid = palette.methods.map((colour) => packed(...mix(palette.background, colour, fade)));
  const match = packed(...palette.match);
  for (let x = 0; x < width; ++x) {
    let all = 0;
    for (let colour = 0; colour < colours; ++colour) all += cover[colour * width + x];
    if (all === 0 && marks[x] === 0) continue;
    const unit = (bottom - top) / Math.max(all, 1);
    let filled = 0;
    let y = bottom;
    for (let colour = 0; colour < colours; ++colour) {
      const amount = cover[colour * width + x];
      if (amount === 0) continue;
      filled += amount;
      // Whatever is there has a pixel.
      const end = Math.max(top, Math.min(bottom - Math.round(filled * unit), bottom - 1));
      for (; y > end; --y) pixels[(y - 1) * width + x] = solid[colour];
    }
    const end = bottom - Math.round(Math.min(marks[x], 1) * (bottom - top));
    for (y = bottom; y > end; --y) pixels[(y - 1) * width + x] = match;
  }
}

function packed(r: number, g: number, b: number): number {
  return (0xff000000 | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function boxOf(scene: Scene, view: View, row: number, least: number): Box {
  const lane = scene.lanes.laneOf[row];
  const margin = view.laneHeight >= 14 ? 2 : view.laneHeight >= 6 ? 1 : 0;
  // What lies far outside is cut off: canvases do not like coordinates in the billions.
  const x = Math.max(xOf(view, scene.axis.start[row]), view.left - 20);
  const end = Math.min(xOf(view, scene.axis.end[row]), view.left + view.width + 20);
  return { x, y: yOf(view, lane) + margin, width: Math.max(end - x, least), height: Math.max(view.laneHeight - 2 * margin, 1) };
}

function drawOperations(
  context: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette, lane: number,
): void {
  const { axis, lanes, history, marked, points } = scene;
  const [begin, end] = lanes.visible(axis, lane, view.from, view.to);
  const draw = (row: number, matches: boolean) => {
    // What was searched for is never too small to be seen, and never hidden behind its neighbours.
    const box = boxOf(scene, view, row, matches ? kNarrow : 1.5);
    const taken = points === null || points.step[row] < scene.step; // or has no place in the order
    const strong = marked === null ? taken : matches;
    const colour: Rgb = matches ? palette.match : palette.methods[scene.colourOf[history.method[row]]];
    drawBox(context, palette, box, colour, strong, history.pending(row));
    if (box.width > 22 && box.height >= 11) {
      label(context, box, view, history.describe(row), history.methodName(row), strong ? palette.ink : palette.faint);
    }
  };
  const found: number[] = [];
  for (let at = begin; at < end; ++at) {
    if (marked !== null && marked[lanes.rows[at]] === 1) found.push(lanes.rows[at]);
    else draw(lanes.rows[at], false);
  }
  for (const row of found) draw(row, true);
  if (points !== null) drawPoints(context, scene, view, palette, begin, end);
}

function drawBox(
  context: CanvasRenderingContext2D, palette: Palette, box: Box, colour: Rgb, strong: boolean, pending: boolean,
): void {
  const tint = mix(palette.background, colour, strong ? 0.36 : 0.13);
  const edge = mix(palette.background, colour, strong ? 1 : 0.4);
  if (box.width < 9) {
    context.fillStyle = css(box.width < 4 ? edge : tint);
    context.fillRect(box.x, box.y, box.width, box.height);
    context.fillStyle = css(edge);
    if (box.width >= 4) context.fillRect(box.x, box.y, 1.5, box.height);
    return;
  }
  const radius = Math.min(4, box.height / 3, box.width / 3);
  context.beginPath();
  context.roundRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, pending ? [radius, 0, 0, radius] : radius);
  if (pending) {
    // An operation that never returned fades out: nobody knows where it ends.
    const fade = context.createLinearGradient(box.x, 0, box.x + box.width, 0);
    fade.addColorStop(0, css(tint));
    fade.addColorStop(1, css(tint, 0.15));
    context.fillStyle = fade;
    context.fill();
    context.setLineDash([3, 3]);
  } else {
    context.fillStyle = css(tint);
    context.fill();
  }
  // In narrow lanes dashes would run into a pattern.
  if (!pending || box.height >= 9) {
    context.strokeStyle = css(edge);
    context.lineWidth = 1;
    context.stroke();
  }
  context.setLineDash([]);
  context.fillStyle = css(edge);
  context.fillRect(box.x, box.y + radius / 2, 2, box.height - radius); // where it began
}

export const kFont = '11.5px ui-sans-serif, system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif';

/** The longest text that fits: the operation, its values, or as much as there is room for. */
function label(context: CanvasRenderingContext2D, box: Box, view: View, text: string, method: string, colour: string): void {
  // A long operation's text stays in sight while its beginning is scrolled away.
  const x = Math.max(box.x + 6, view.left + 4);
  const room = box.x + box.width - x - 3;
  context.font = kFont;
  let fitting = text;
  if (context.measureText(fitting).width > room) fitting = text.slice(method.length).replace(/^\((.*?)\)/, '$1').trim();
  if (context.measureText(fitting).width > room) {
    let length = Math.floor(fitting.length * (room / context.measureText(fitting).width)) - 1;
    if (length < 1) return;
    length = Math.min(length, fitting.length - 1);
    fitting = `${fitting.slice(0, length)}…`;
    if (context.measureText(fitting).width > room) return;
  }
  context.fillStyle = colour;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillText(fitting, x, box.y + box.height / 2 + 0.5);
}

/** Where operations took effect. */
function drawPoints(
  context: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette, begin: number, end: number,
): void {
  const points = scene.points!;
  let before = -Infinity;
  for (let at = begin; at < end; ++at) {
    const row = scene.lanes.rows[at];
    const step = points.step[row];
    if (step < 0 || step >= scene.step) continue;
    const x = xOf(view, scene.axis.ofRank(points.rank[row]));
    // Small on a small operation.
    const { width } = boxOf(scene, view, row, 1);
    const size = Math.min(4.5, view.laneHeight / 4, Math.max(2, width / 2));
    if (x - before < 2 * size) continue; // they would run into one another
    before = x;
    // On the lower edge, where it hides no text.
    const y = yOf(view, scene.lanes.laneOf[row] + 1) - Math.max(size - 1, 1);
    drawPoint(context, x, y, size, palette, step === scene.step - 1);
  }
}

export function drawPoint(
  context: CanvasRenderingContext2D, x: number, y: number, size: number, palette: Palette, last: boolean,
): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
  context.fillStyle = last ? palette.accent : palette.dot;
  context.fill();
  context.strokeStyle = palette.surface;
  context.lineWidth = 1.2;
  context.stroke();
}

function ringCore(
  context: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette, lane: number,
): void {
  if (!scene.lanes.lanes[lane].core) return;
  const [begin, end] = scene.lanes.visible(scene.axis, lane, view.from, view.to);
  for (let at = begin; at < end; ++at) {
    if (scene.coreRows.has(scene.lanes.rows[at])) ring(context, boxOf(scene, view, scene.lanes.rows[at], kNarrow), palette);
  }
}

/** The core is seen at every magnification. */
function drawCore(context: CanvasRenderingContext2D, scene: Scene, view: View, palette: Palette): void {
  const [firstLane, endLane] = lanesInView(scene, view);
  for (const row of scene.core.slice(0, kMostCore)) {
    const lane = scene.lanes.laneOf[row];
    if (lane < firstLane || lane >= endLane) continue;
    if (scene.axis.end[row] < view.from || scene.axis.start[row] > view.to) continue;
    const box = boxOf(scene, view, row, kNarrow);
    context.fillStyle = palette.core;
    context.globalAlpha = 0.35;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    ring(context, box, palette);
  }
}

function ring(context: CanvasRenderingContext2D, box: Box, palette: Palette): void {
  context.strokeStyle = palette.core;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, Math.min(4, box.width / 3, box.height / 3));
  context.stroke();
}
