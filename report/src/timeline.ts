// The timeline: lanes of operations, an axis, the annotations; zoomed with the wheel, moved by dragging, or both with
// the keyboard.
import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom';
import { AnnotationLane } from './annotations.ts';
import { boxOf, drawLanes, kFont, lanesInView, xOf, yOf, type View } from './draw.ts';
import type { Palette } from './palette.ts';
import type { Scene } from './scene.ts';
import { compact, grouped, shortened } from './text.ts';

export interface TimelineEvents {
  hover(row: number | null, text: string, x: number, y: number): void;
  choose(row: number | null): void;
  moved(): void;
}

const kAxisHeight = 26;
const kLeastLane = 7;
const kMostLane = 30;

export class Timeline {
  private readonly base: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly above: CanvasRenderingContext2D;
  private readonly zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  private scene: Scene | null = null;
  private palette!: Palette;
  private readonly annotations = new AnnotationLane();
  private hovered: number | null = null;
  private cursor: number | null = null; // in ticks since the first event
  private chosen: number | null = null;
  private pointer: number | null = null;
  private frame = 0;
  private width = 0;
  private height = 0;
  private scroll = 0;
  private readonly ratio = Math.min(window.devicePixelRatio || 1, 2);
  gutter = 0;

  constructor(private readonly host: HTMLElement, private readonly events: TimelineEvents) {
    this.base = host.querySelector('canvas.base')!;
    this.overlay = host.querySelector('canvas.overlay')!;
    this.context = this.base.getContext('2d')!;
    this.above = this.overlay.getContext('2d')!;
    this.zoom = zoom<HTMLCanvasElement, unknown>()
      .filter((event: Event) => !(event instanceof WheelEvent && this.pans(event)) && !(event as MouseEvent).button)
      .on('zoom', (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
        const source = event.sourceEvent as MouseEvent | null;
        if (source?.type === 'mousemove') this.scrollBy(-source.movementY);
        this.redraw();
      });
    const overlay = select(this.overlay);
    overlay.call(this.zoom).on('dblclick.zoom', null);
    this.overlay.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.overlay.addEventListener('pointermove', (event) => this.point(event));
    this.overlay.addEventListener('pointerleave', () => this.leave());
    this.overlay.addEventListener('click', (event) => this.events.choose(this.at(event)));
    this.overlay.addEventListener('dblclick', (event) => {
      const row = this.at(event);
      if (row !== null) this.showOperation(row);
    });
    new ResizeObserver(() => this.resize()).observe(host);
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.redraw();
  }

  /** A new scene, or an old one that was laid out again; `keep`: what was in view stays, whatever the scale. */
  show(scene: Scene, keep?: { from: number; to: number }): void {
    this.scene = scene;
    this.annotations.layOut(scene);
    // A few lanes need no screen.
    const needed = this.lanesTop() + Math.max(scene.lanes.lanes.length, 1) * kMostLane + 12;
    this.host.style.maxHeight = `${needed}px`;
    this.host.style.minHeight = `${Math.min(needed, 140)}px`;
    this.resize();
    if (keep !== undefined) this.look(scene.axis.ofRank(keep.from), scene.axis.ofRank(keep.to));
    else this.redraw();
  }

  /** What is in view, as ranks; nothing where everything is. */
  ranks(): { from: number; to: number } | undefined {
    if (this.scene === null || this.width === 0 || this.transform().k === 1) return undefined;
    const [from, to] = this.domain();
    const { axis } = this.scene;
    return { from: axis.toRank(from), to: axis.toRank(to) };
  }

  domain(): [number, number] {
    const transform = this.transform();
    const whole = this.whole();
    return [
      whole.invert(transform.invertX(this.gutter)),
      whole.invert(transform.invertX(this.gutter + this.width)),
    ];
  }

  /** Looks at a part of the axis. */
  look(from: number, to: number): void {
    if (this.scene === null || this.width <= 0) return;
    const whole = this.whole();
    const least = this.width / this.zoom.scaleExtent()[1];
    const middle = (whole(from) + whole(to)) / 2;
    const extent = Math.min(Math.max(whole(to) - whole(from), least), this.width);
    const k = this.width / extent;
    // Nothing beyond the ends.
    const [first, last] = [this.gutter, this.gutter + this.width];
    const x = Math.min(Math.max(first + this.width / 2 - k * middle, last * (1 - k)), first * (1 - k));
    select(this.overlay).call(this.zoom.transform, zoomIdentity.translate(x, 0).scale(k));
  }
  /** The same without what lies beyond the ends: the rest is seen the larger. */
  private lookWithin(from: number, to: number): void {
    const [first, last] = this.whole().domain();
    this.look(Math.max(from, first), Math.min(to, last));
  }
  showAll(): void {
    select(this.overlay).call(this.zoom.transform, zoomIdentity);
    this.scroll = 0;
  }
  /** The operations, with as much again around them. */
  showOperations(rows: readonly number[]): void {
    const { scene } = this;
    if (scene === null) return;
    let from = Infinity;
    let to = -Infinity;
    let highest = Infinity;
    for (const row of rows) {
      if (scene.lanes.laneOf[row] < 0) continue;
      highest = Math.min(highest, scene.lanes.laneOf[row]);
      from = Math.min(from, scene.axis.start[row]);
      to = Math.max(to, Math.min(scene.axis.end[row], scene.axis.length));
    }
    if (highest === Infinity) return;
    const around = (to - from) * 0.15 || scene.axis.length * 1e-9;
    this.lookWithin(from - around, to + around);
    this.scrollTo(highest);
  }
  showOperation(row: number): void {
    const { scene } = this;
    if (scene === null || scene.lanes.laneOf[row] < 0) return;
    const start = scene.axis.start[row];
    const length = Math.min(scene.axis.end[row], scene.axis.length) - start;
    const around = Math.max(length * 1.5, this.shortest() * 8);
    this.lookWithin(start - around, start + length + around);
    this.scrollTo(scene.lanes.laneOf[row]);
  }
  /** Moves only as far as is needed. */
  reveal(row: number): void {
    const { scene } = this;
    if (scene === null || scene.lanes.laneOf[row] < 0) return;
    const [from, to] = this.domain();
    const start = scene.axis.start[row];
    const end = Math.min(scene.axis.end[row], scene.axis.length);
    const pixels = ((end - start) / (to - from)) * this.width;
    if (pixels < 4) this.showOperation(row);
    else if (start < from || end > to) this.look((start + end - (to - from)) / 2, (start + end + (to - from)) / 2);
    this.scrollTo(scene.lanes.laneOf[row]);
  }
  centre(share: number): void {
    if (this.scene === null) return;
    const [from, to] = this.domain();
    const middle = share * this.scene.axis.length;
    this.look(middle - (to - from) / 2, middle + (to - from) / 2);
  }
  magnify(factor: number): void {
    select(this.overlay).call(this.zoom.scaleBy, factor, this.centrePoint());
  }
  pan(share: number): void {
    select(this.overlay).call(this.zoom.translateBy, (-share * this.width) / this.transform().k, 0);
  }

  choose(row: number | null): void {
    this.chosen = row;
    this.redraw();
  }
  /** A line at that many ticks since the first event. */
  setCursor(tick: number | null): void {
    this.cursor = tick;
    this.redraw();
  }
  hover(row: number | null): void {
    if (row === this.hovered) return;
    this.hovered = row;
    this.redraw();
  }

  redraw(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private transform() {
    return (this.overlay as unknown as { __zoom?: typeof zoomIdentity }).__zoom ?? zoomIdentity;
  }
  private whole() {
    const length = this.scene?.axis.length ?? 1;
    return scaleLinear([-0.015 * length, 1.015 * length], [this.gutter, this.gutter + this.width]);
  }
  private centrePoint(): [number, number] {
    return [this.gutter + this.width / 2, 0];
  }
  private shortest(): number {
    const { scene } = this;
    if (scene === null) return 1;
    if (scene.scale === 'order') return 1;
    return scene.axis.length / Math.max(scene.history.facts.eventCount, 1);
  }

  private lanesTop(): number {
    return kAxisHeight + this.annotations.height;
  }
  private lanesHeight(): number {
    return Math.max(this.height - this.lanesTop() - 4, 1);
  }
  private laneHeight(): number {
    const count = this.scene?.lanes.lanes.length ?? 1;
    return Math.min(Math.max(this.lanesHeight() / Math.max(count, 1), kLeastLane), kMostLane);
  }
  private view(): View {
    const [from, to] = this.domain();
    return {
      from, to,
      left: this.gutter,
      top: this.lanesTop(),
      width: this.width,
      height: this.lanesHeight(),
      laneHeight: this.laneHeight(),
      scroll: this.scroll,
    };
  }
  private scrollBy(pixels: number): void {
    const all = (this.scene?.lanes.lanes.length ?? 0) * this.laneHeight();
    this.scroll = Math.min(Math.max(this.scroll + pixels, 0), Math.max(all - this.lanesHeight(), 0));
  }
  private scrollTo(lane: number): void {
    const height = this.laneHeight();
    if (lane * height < this.scroll) this.scroll = lane * height;
    if ((lane + 1) * height > this.scroll + this.lanesHeight()) this.scroll = (lane + 1) * height - this.lanesHeight();
    this.scrollBy(0);
  }
  private overflows(): boolean {
    return (this.scene?.lanes.lanes.length ?? 0) * this.laneHeight() > this.lanesHeight() + 1;
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.host;
    const { scene } = this;
    const domain = this.width > 0 ? this.domain() : undefined;
    const before = this.width;
    this.gutter = scene === null ? 0 : this.gutterFor(scene, clientWidth);
    this.width = Math.max(clientWidth - this.gutter - 8, 50);
    this.height = clientHeight;
    for (const canvas of [this.base, this.overlay]) {
      if (canvas.width !== Math.round(clientWidth * this.ratio)) canvas.width = Math.round(clientWidth * this.ratio);
      if (canvas.height !== Math.round(clientHeight * this.ratio)) canvas.height = Math.round(clientHeight * this.ratio);
    }
    if (scene !== null) {
      // Down to a few events across the whole width.
      const smallest = scene.scale === 'order' ? 4 : this.shortestSpan(scene);
      this.zoom
        .scaleExtent([1, Math.min(Math.max(scene.axis.length / smallest, 8), 1e12)])
        .extent([[this.gutter, 0], [this.gutter + this.width, this.height]])
        .translateExtent([[this.gutter, 0], [this.gutter + this.width, this.height]]);
    }
    this.scrollBy(0);
    if (domain !== undefined && before !== this.width) this.look(...domain);
    this.redraw();
  }
  private shortestSpan(scene: Scene): number {
    const { eventTime } = scene.history;
    let shortest = scene.axis.length;
    const stride = Math.max(1, Math.floor(eventTime.length / 50_000));
    for (let rank = 1; rank < eventTime.length; rank += stride) {
      const step = eventTime[rank] - eventTime[rank - 1];
      if (step > 0 && step < shortest) shortest = step;
    }
    return 4 * shortest;
  }
  private gutterFor(scene: Scene, available: number): number {
    this.context.font = kFont;
    let widest = 34;
    for (const lane of scene.lanes.lanes.slice(0, 500)) {
      widest = Math.max(widest, this.context.measureText(lane.name).width);
    }
    return Math.ceil(Math.min(widest + 22, available * 0.18));
  }

  private draw(): void {
    const { scene, context, palette } = this;
    if (scene === null || palette === undefined || this.width <= 0) return;
    const view = this.view();
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = palette.surface;
    context.fillRect(0, 0, this.base.clientWidth, this.height);
    context.save();
    context.beginPath();
    context.rect(view.left, view.top, view.width, view.height);
    context.clip();
    const ticks = this.ticks(view);
    drawLanes(context, scene, view, palette, this.ratio, () => this.drawLines(view, ticks));
    context.restore();
    this.drawLaneNames(view);
    this.drawAxis(view, ticks);
    this.annotations.draw(context, view, palette, kAxisHeight);
    this.drawScrollBar(view);
    this.drawOverlay(view);
    this.events.moved();
  }

  private drawLaneNames(view: View): void {
    const { context, palette } = this;
    const scene = this.scene!;
    const [first, end] = lanesInView(scene, view);
    context.save();
    context.beginPath();
    context.rect(0, view.top - 6, view.left, view.height + 6);
    context.clip();
    context.font = kFont;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    let free = -Infinity; // names may not lie on one another
    for (let lane = first; lane < end; ++lane) {
      const { name, first: isFirst, core } = scene.lanes.lanes[lane];
      if (!isFirst && lane !== first) continue;
      const y = yOf(view, lane) + view.laneHeight / 2;
      if (y < free) continue;
      free = y + 13;
      context.fillStyle = core ? palette.ink : palette.faint;
      context.fillText(shortened(context, name, view.left - 16), view.left - 10, y);
    }
    context.restore();
  }

  /** Which of the lanes are in view, where not all of them are. */
  private drawScrollBar(view: View): void {
    if (!this.overflows()) return;
    const { context, palette } = this;
    const all = this.scene!.lanes.lanes.length * view.laneHeight;
    const length = Math.max((view.height / all) * view.height, 16);
    const top = view.top + (view.scroll / (all - view.height)) * (view.height - length);
    context.fillStyle = palette.faint;
    context.globalAlpha = 0.5;
    context.beginPath();
    context.roundRect(view.left + view.width + 2, top, 4, length, 2);
    context.fill();
    context.globalAlpha = 1;
  }

  /** Round places of the axis, with their texts. */
  private ticks(view: View): { x: number; text: string }[] {
    const scene = this.scene!;
    // Ticks as the input writes them where they are short, else since the first event.
    const base = Number(scene.history.facts.base);
    const short = Math.abs(base) + scene.axis.length < 1e8;
    const shift = scene.scale === 'time' && short ? base : 0;
    const scale = scaleLinear([view.from + shift, view.to + shift], [view.left, view.left + view.width]);
    return scale
      .ticks(Math.max(2, Math.floor(view.width / 130)))
      .filter((tick) => tick >= shift && tick <= scene.axis.length + shift)
      .map((tick) => ({
        x: Math.round(scale(tick)) + 0.5,
        text: scene.scale === 'order' || short ? grouped(Math.round(tick * 100) / 100) : `+${compact(tick)}`,
      }));
  }
  private drawLines(view: View, ticks: readonly { x: number }[]): void {
    const { context, palette } = this;
    context.strokeStyle = palette.line;
    context.globalAlpha = 0.55;
    context.lineWidth = 1;
    context.beginPath();
    for (const { x } of ticks) {
      context.moveTo(x, view.top);
      context.lineTo(x, view.top + view.height);
    }
    context.stroke();
    context.globalAlpha = 1;
  }
  private drawAxis(view: View, ticks: readonly { x: number; text: string }[]): void {
    const { context, palette } = this;
    context.font = '11px ui-monospace, "SF Mono", "Liberation Mono", monospace';
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    context.fillStyle = palette.faint;
    for (const { x, text } of ticks) {
      if (x > view.left + 16 && x < view.left + view.width - 16) context.fillText(text, x, kAxisHeight / 2 - 1);
    }
    context.textAlign = 'right';
    context.fillText(this.scene!.scale, view.left - 10, kAxisHeight / 2 - 1);
  }

  private drawOverlay(view: View): void {
    const { above, palette } = this;
    const scene = this.scene!;
    above.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    above.clearRect(0, 0, this.overlay.clientWidth, this.height);
    above.save();
    above.beginPath();
    above.rect(view.left, 0, view.width + 8, this.height);
    above.clip();
    if (this.pointer !== null) {
      above.strokeStyle = palette.faint;
      above.globalAlpha = 0.5;
      above.lineWidth = 1;
      above.beginPath();
      above.moveTo(this.pointer + 0.5, kAxisHeight - 6);
      above.lineTo(this.pointer + 0.5, view.top + view.height);
      above.stroke();
      above.globalAlpha = 1;
    }
    if (this.cursor !== null) {
      const x = xOf(view, scene.axis.ofTick(this.cursor));
      above.strokeStyle = palette.accent;
      above.lineWidth = 2;
      above.beginPath();
      above.moveTo(x, kAxisHeight - 6);
      above.lineTo(x, view.top + view.height);
      above.stroke();
    }
    for (const [row, width] of [[this.hovered, 1.5], [this.chosen, 2.5]] as const) {
      if (row === null || scene.lanes.laneOf[row] < 0) continue;
      const box = boxOf(scene, view, row, 3);
      if (box.y + box.height < view.top || box.y > view.top + view.height) continue;
      if (width > 2) this.drawGuides(view, box.x, scene.history.pending(row) ? null : box.x + box.width);
      above.strokeStyle = palette.accent;
      above.lineWidth = width;
      above.beginPath();
      above.roundRect(box.x - 1, box.y - 1, box.width + 2, box.height + 2, 5);
      above.stroke();
    }
    above.restore();
  }
  /** From a chosen operation's call and return up to the axis and down. */
  private drawGuides(view: View, call: number, response: number | null): void {
    const { above, palette } = this;
    above.strokeStyle = palette.accent;
    above.lineWidth = 1;
    above.globalAlpha = 0.55;
    above.setLineDash([2, 4]);
    for (const x of [call, response]) {
      if (x === null) continue;
      above.beginPath();
      above.moveTo(Math.round(x) + 0.5, kAxisHeight - 6);
      above.lineTo(Math.round(x) + 0.5, view.top + view.height);
      above.stroke();
    }
    above.setLineDash([]);
    above.globalAlpha = 1;
  }

  /** The operation under the pointer, or the one nearest to it within a few pixels. */
  private at(event: MouseEvent): number | null {
    const { scene } = this;
    if (scene === null) return null;
    const view = this.view();
    const y = event.offsetY;
    if (event.offsetX < view.left || y < view.top || y >= view.top + view.height) return null;
    const lane = Math.floor((y - view.top + view.scroll) / view.laneHeight);
    if (lane < 0 || lane >= scene.lanes.lanes.length) return null;
    const place = view.from + ((event.offsetX - view.left) / view.width) * (view.to - view.from);
    const near = (4 / view.width) * (view.to - view.from);
    const [begin, end] = scene.lanes.visible(scene.axis, lane, place - near, place + near);
    let best: number | null = null;
    let distance = Infinity;
    for (let at = begin; at < Math.min(end, begin + 2000); ++at) {
      const row = scene.lanes.rows[at];
      // Of many under the pointer: one of the core, else one that is marked, else the nearest.
      const prefer = scene.coreRows.has(row) ? -2 : scene.marked !== null && scene.marked[row] === 1 ? -1 : 0;
      const away =
        Math.max(scene.axis.start[row] - place, place - scene.axis.end[row], 0) / near + prefer * 10;
      if (away < distance) {
        distance = away;
        best = row;
      }
    }
    return best;
  }

  private point(event: PointerEvent): void {
    if (event.buttons !== 0) return;
    const view = this.view();
    this.pointer = event.offsetX >= view.left && event.offsetX <= view.left + view.width ? event.offsetX : null;
    const row = this.at(event);
    const text = row === null && this.scene !== null
      ? this.annotations.at(this.scene, view, event.offsetX, event.offsetY, kAxisHeight) : '';
    this.overlay.style.cursor = row === null ? 'grab' : 'pointer';
    this.hovered = row;
    this.events.hover(row, text, event.clientX, event.clientY);
    this.redraw();
  }
  private leave(): void {
    this.pointer = null;
    this.hovered = null;
    this.events.hover(null, '', 0, 0);
    this.redraw();
  }
  private pans(event: WheelEvent): boolean {
    return event.shiftKey || event.altKey || Math.abs(event.deltaX) > Math.abs(event.deltaY) ||
      (event.offsetX < this.gutter && this.overflows());
  }
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    if (!this.pans(event)) return;
    if (event.altKey || event.offsetX < this.gutter || (event.shiftKey && this.overflows())) {
      this.scrollBy(event.deltaY + event.deltaX);
      this.redraw();
    } else {
      this.pan((event.shiftKey ? event.deltaY + event.deltaX : event.deltaX) / this.width);
    }
  }
}
