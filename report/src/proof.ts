// The core by itself: the operations that cannot be put in order, faintly with their context, a row a process, their events at equal distances so
// that they can be read whatever the clock. What has taken effect in the order that is looked at is numbered.
import { select } from 'd3-selection';
import type { History } from './history.ts';
import type { Scene } from './scene.ts';
import { Points } from './linearization.ts';

const kMostShown = 60;
const kRoomyLanes = 6; // more of them move together
const kEvent = 40; // least pixels between two events
const kDenseEvent = 22; // the same where there are many
const kCharacter = 7.3; // pixels
const kLongestText = 40;
const kTop = 8;
const kBottom = 22;

export interface ProofEvents {
  choose(row: number): void;
  hover(row: number | null, x: number, y: number): void;
}

interface Bar {
  row: number;
  lane: number;
  from: number;
  to: number;
  pending: boolean;
}

/** The core's operations with their events numbered from 0, each in a lane. */
function bars(history: History, core: readonly number[]): { bars: Bar[]; names: string[]; ticks: number[] } {
  // Of a large core the end: that is where it fails.
  const rows = [...core].sort((a, b) => a - b).slice(-kMostShown);
  const ranks = rows.flatMap((row) => [history.callRank[row], history.responseRank[row]]);
  const events = [...new Set(ranks.filter((rank) => rank < history.facts.eventCount))].sort((a, b) => a - b);
  const place = new Map(events.map((rank, i) => [rank, i]));
  const names: string[] = [];
  const ends: number[] = []; // by lane
  const laid = rows.map((row): Bar => {
    const from = place.get(history.callRank[row])!;
    const pending = history.pending(row);
    const to = pending ? events.length - 0.1 : place.get(history.responseRank[row])!;
    const name = history.processName(row);
    // One row a process; operations of nobody share rows as far as they do not overlap.
    let lane = names.findIndex((other, i) => other === name && ends[i] < from);
    if (lane < 0) lane = names.length;
    names[lane] = name;
    ends[lane] = to;
    return { row, lane, from, to, pending };
  });
  return { bars: laid, names, ticks: events };
}

/** Where each event lies, and the end: as near as the texts of the operations allow, or wider to fill the room. */
function spread(all: readonly Bar[], history: History, events: number, room: number, least = kEvent): number[] {
  const places = [0];
  for (let i = 1; i <= events; ++i) {
    places[i] = places[i - 1] + Math.min(i === events ? 24 : kEvent, least);
    for (const bar of all) {
      if (Math.ceil(bar.to) !== i) continue;
      const text = Math.min(history.describe(bar.row).length, kLongestText) * kCharacter + 22;
      places[i] = Math.max(places[i], places[bar.from] + text);
    }
  }
  if (places[events] > room && least === kEvent) return spread(all, history, events, room, kDenseEvent);
  const stretch = Math.max(room / places[events], 1);
  return places.map((place) => place * Math.min(stretch, 2.5));
}

export class Proof {
  private chosen: number | null = null;

  constructor(private readonly host: HTMLElement, private readonly events: ProofEvents) {}

  /** `order`: what has taken effect, step by step; only the first `step` of them. */
  draw(scene: Scene, chosen: number | null): void {
    const { history, object } = scene;
    const core = [...(object.core ?? []), ...(object.context ?? [])];
    const { scrollLeft, scrollTop } = this.host;
    this.host.replaceChildren();
    this.host.hidden = core.length === 0;
    if (core.length === 0) return;
    const { bars: all, names, ticks } = bars(history, core);
    const gutter = Math.min(Math.max(...names.map((name) => name.length * 7.2), 20) + 24, 180);
    const places = spread(all, history, ticks.length, Math.max(this.host.clientWidth, 300) - gutter - 40);
    const x = (place: number) => {
      const before = Math.min(Math.floor(place), places.length - 2);
      return gutter + 12 + places[before] + (places[before + 1] - places[before]) * (place - before);
    };
    const [rowHeight, barHeight] = names.length <= kRoomyLanes ? [38, 24] : [32, 20];
    const y = (lane: number) => kTop + lane * rowHeight;
    const height = kTop + names.length * rowHeight + kBottom;
    const svg = select(this.host)
      .append('svg')
      .attr('width', x(ticks.length) + 4)
      .attr('height', height)
      .attr('role', 'group')
      .attr('aria-label', `The ${core.length} operations that cannot be put in order`);
    const points = scene.points;

    const guide = svg.append('g').attr('class', 'guides');
    ticks.forEach((_, i) => {
      guide.append('line').attr('x1', x(i)).attr('x2', x(i)).attr('y1', kTop).attr('y2', height - kBottom + 4);
    });
    const texts = ticks.map((rank) => shortTick(history, history.eventTime[rank]));
    let free = -Infinity;
    texts.forEach((text, i) => {
      const half = (text.length * 6.8) / 2;
      if (x(i) - half > free) {
        free = x(i) + half + 6;
        guide.append('text').attr('x', x(i)).attr('y', height - 6).attr('text-anchor', 'middle').text(text);
      }
    });
    for (const bar of all) {
      const { row } = bar;
      const blocked = row === object.blocked;
      const left = x(bar.from);
      const barWidth = Math.max(x(bar.to) - left, 6);
      const taken = points !== null && points.step[row] >= 0 && points.step[row] < scene.step;
      const group = svg.append('g')
        .attr('class', ['bar', blocked ? 'blocked' : '', scene.contextRows.has(row) ? 'context' : '', row === chosen ? 'chosen' : '', bar.pending ? 'pending' : ''].join(' '))
        .attr('data-row', row)
        .attr('data-step', taken ? points.step[row] + 1 : null)
        .attr('tabindex', 0)
        .attr('role', 'button')
        .attr('aria-label', spoken(history, row, blocked))
        .style('--colour', `var(--method-${scene.colourOf[history.method[row]]})`)
        .on('click', () => this.events.choose(row))
        .on('keydown', (event: KeyboardEvent) => {
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            this.events.choose(row);
          }
        })
        .on('pointermove', (event: PointerEvent) => this.events.hover(row, event.clientX, event.clientY))
        .on('pointerleave', () => this.events.hover(null, 0, 0));
      group.append('rect').attr('class', 'body').attr('x', left).attr('y', y(bar.lane)).attr('rx', 5)
        .attr('width', barWidth).attr('height', barHeight);
      group.append('rect').attr('class', 'edge').attr('x', left).attr('y', y(bar.lane) + 3).attr('rx', 1)
        .attr('width', 3).attr('height', barHeight - 6);
      const text = history.describe(row);
      group.append('text').attr('class', 'label').attr('x', left + 10).attr('y', y(bar.lane) + barHeight / 2 + 1)
        .attr('dominant-baseline', 'middle').text(cut(text, kLongestText));
      if (taken) {
        const at = x(between(history, ticks, points, row));
        const badge = group.append('g').attr('class', points.step[row] === scene.step - 1 ? 'point last' : 'point');
        badge.append('line').attr('x1', at).attr('x2', at).attr('y1', y(bar.lane) + barHeight - 4).attr('y2', y(bar.lane) + barHeight + 2);
        badge.append('circle').attr('cx', at).attr('cy', y(bar.lane) + barHeight + 6).attr('r', points.step[row] < 9 ? 7.5 : 9);
        badge.append('text').attr('x', at).attr('y', y(bar.lane) + barHeight + 6.5).attr('text-anchor', 'middle')
          .attr('dominant-baseline', 'middle').text(points.step[row] + 1);
      }
      if (blocked) {
        group.append('text').attr('class', 'cross').attr('x', left + barWidth - 4).attr('y', y(bar.lane) + 4)
          .attr('text-anchor', 'middle').attr('dominant-baseline', 'middle').text('✕')
          .append('title').text('No order is left when this operation returns');
      }
    }
    // The names stay while the rest is scrolled.
    const side = svg.append('g').attr('class', 'names');
    side.append('rect').attr('width', gutter).attr('height', height - kBottom);
    names.forEach((name, lane) => {
      side.append('text').attr('class', 'process').attr('x', gutter - 8).attr('y', y(lane) + barHeight / 2 + 1)
        .attr('text-anchor', 'end').attr('dominant-baseline', 'middle').text(name || '·')
        .append('title').text(name === '' ? 'The input names no process' : `process ${name}`);
    });
    const follow = () => side.attr('transform', `translate(${this.host.scrollLeft}, 0)`);
    this.host.onscroll = follow;
    this.host.scrollLeft = scrollLeft;
    this.host.scrollTop = scrollTop;
    this.keepInView(scene, chosen);
    follow();
    if (core.length > kMostShown) {
      const note = document.createElement('p');
      note.className = 'note';
      note.textContent = `The last ${kMostShown} of ${core.length} operations; the history below marks all of them.`;
      this.host.append(note);
    }
  }

  /**
   * A core that is larger than its box: what was chosen is seen, else the latest step, and at the end the operation that
   * is blocked.
   */
  private keepInView({ object, points, step, coreRows }: Scene, chosen: number | null): void {
    const { host } = this;
    const order = points?.linearization.order;
    const latest = order === undefined || step === order.length || step === 0 ? object.blocked : order[step - 1];
    const row = chosen !== null && chosen !== this.chosen && coreRows.has(chosen) ? chosen : latest;
    this.chosen = chosen;
    const rect = row === undefined ? null : host.querySelector<SVGGraphicsElement>(`[data-row="${row}"] .body`);
    if (rect === null || (host.scrollWidth <= host.clientWidth && host.scrollHeight <= host.clientHeight)) return;
    const { x, y, width, height } = rect.getBBox();
    if (x < host.scrollLeft || x + width > host.scrollLeft + host.clientWidth) host.scrollLeft = x + width / 2 - host.clientWidth / 2;
    if (y < host.scrollTop || y + height + 20 > host.scrollTop + host.clientHeight) host.scrollTop = y - host.clientHeight / 2;
  }
}

/** Where a point lies among the events of the core: between the last one before it and the next. */
function between(history: History, ticks: readonly number[], points: Points, row: number): number {
  const rank = points.rank[row];
  let before = 0;
  while (before + 1 < ticks.length && ticks[before + 1] <= rank) ++before;
  // Those that share the gap stand side by side.
  const sharing = [...points.linearization.order]
    .filter((other) => {
      const at = points.rank[other];
      return at >= ticks[before] && (before + 1 >= ticks.length || at < ticks[before + 1]);
    })
    .sort((a, b) => points.step[a] - points.step[b]);
  void history;
  return before + (sharing.indexOf(row) + 1) / (sharing.length + 1);
}

export function spoken(history: History, row: number, blocked: boolean): string {
  const process = history.processName(row);
  const until = history.pending(row) ? 'never returned' : `returned at ${history.tickText(history.response[row])}`;
  return `${history.describe(row)}${process === '' ? '' : `, process ${process}`}, called at ` +
    `${history.tickText(history.call[row])}, ${until}${blocked ? ', cannot be placed' : ''}`;
}

/** A tick, since the first event where it is long. */
export function shortTick(history: History, ticks: number): string {
  const whole = history.tickText(ticks);
  return whole.length <= 7 ? whole : `+${ticks}`;
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return length < 2 ? '' : `${text.slice(0, Math.floor(length) - 1)}…`;
}
