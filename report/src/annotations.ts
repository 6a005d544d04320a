// What happened beside the operations, in lanes of its own under the axis: an instant is a flag, a period a bar.
import { kFont, xOf, type View } from './draw.ts';
import type { Annotation } from './history.ts';
import type { Palette } from './palette.ts';
import type { Scene } from './scene.ts';

const kHeight = 20;
const kMostLanes = 4;

interface Placed {
  annotation: Annotation;
  from: number;
  to: number;
  lane: number;
  next: number; // where the next one of the lane begins
}

export class AnnotationLane {
  height = 0;
  private placed: Placed[] = [];

  layOut(scene: Scene): void {
    const { annotations } = scene.history.facts;
    const ends: number[] = []; // by lane
    this.placed = annotations
      .map((annotation) => {
        const from = scene.axis.ofTick(annotation.begin);
        return { annotation, from, to: annotation.end === undefined ? from : scene.axis.ofTick(annotation.end), lane: 0, next: Infinity };
      })
      .sort((a, b) => a.from - b.from);
    const latest: Placed[] = []; // by lane
    for (const each of this.placed) {
      let lane = ends.findIndex((end) => end < each.from);
      if (lane < 0) lane = ends.length < kMostLanes ? ends.length : ends.indexOf(Math.min(...ends));
      ends[lane] = Math.max(ends[lane] ?? -Infinity, each.to);
      each.lane = lane;
      if (latest[lane] !== undefined) latest[lane].next = each.from;
      latest[lane] = each;
    }
    this.height = ends.length === 0 ? 0 : ends.length * kHeight + 6;
  }

  draw(context: CanvasRenderingContext2D, view: View, palette: Palette, top: number): void {
    if (this.height === 0) return;
    context.save();
    context.font = kFont;
    context.textBaseline = 'middle';
    context.fillStyle = palette.faint;
    context.textAlign = 'right';
    context.fillText('events', view.left - 10, top + kHeight / 2);
    context.beginPath();
    context.rect(view.left, top, view.width, view.top + view.height - top);
    context.clip();
    context.textAlign = 'left';
    const free: number[] = [];
    for (const each of this.placed) {
      const x = xOf(view, each.from);
      const end = xOf(view, each.to);
      if (end < view.left - 300 || x > view.left + view.width) continue;
      const y = top + each.lane * kHeight;
      const colour = colourOf(each.annotation, palette);
      // A faint line through all lanes shows what was going on there.
      context.strokeStyle = colour;
      context.fillStyle = colour;
      if (each.to > each.from) {
        context.globalAlpha = 0.07;
        context.fillRect(x, view.top, end - x, view.height);
        context.globalAlpha = 0.25;
        context.fillRect(x, y + 2, Math.max(end - x, 2), kHeight - 4);
        context.globalAlpha = 1;
        context.fillRect(x, y + 2, 2, kHeight - 4);
        context.fillRect(Math.max(end - 2, x + 2), y + 2, 2, kHeight - 4);
      } else {
        context.globalAlpha = 0.35;
        context.fillRect(Math.round(x), y + kHeight - 3, 1, view.top + view.height - y - kHeight + 3);
        context.globalAlpha = 1;
        context.beginPath();
        context.moveTo(x, y + 3);
        context.lineTo(x + 7, y + kHeight / 2 - 2);
        context.lineTo(x, y + kHeight / 2 + 3);
        context.fill();
        context.fillRect(Math.round(x), y + 3, 1, kHeight - 6);
      }
      // Text as far as the next one of the lane.
      const begin = Math.max(x + (each.to > each.from ? 7 : 11), view.left + 4);
      if (begin < (free[each.lane] ?? -Infinity)) continue;
      // Inside its bar, unless that is too short for any text.
      const limit = end - begin > 60 ? end : xOf(view, each.next);
      const room = Math.min(view.left + view.width, limit) - begin - 6;
      const text = textOf(each.annotation);
      const width = context.measureText(text).width;
      if (room < Math.min(width, 30)) continue;
      free[each.lane] = begin + Math.min(width, room);
      context.fillStyle = palette.ink;
      context.save();
      context.beginPath();
      context.rect(begin, y, room, kHeight);
      context.clip();
      context.fillText(text, begin, y + kHeight / 2);
      context.restore();
    }
    context.restore();
  }

  /** The text of the annotation under the pointer, or nothing. */
  at(scene: Scene, view: View, x: number, y: number, top: number): string {
    if (y < top || y >= top + this.height) return '';
    const lane = Math.floor((y - top) / kHeight);
    const under = this.placed.filter((each) => {
      const from = xOf(view, each.from);
      return each.lane === lane && x >= from - 4 && x <= Math.max(xOf(view, each.to), from + 12);
    });
    const { history } = scene;
    return under.slice(-1).map(({ annotation }) => {
      const until = annotation.end === undefined ? '' : ` to ${history.tickText(annotation.end)}`;
      return `${textOf(annotation)}\n${history.tickText(annotation.begin)}${until}`;
    }).join('');
  }
}

function textOf({ text, process }: Annotation): string {
  return process === '' ? text : `${process}: ${text}`;
}
function colourOf({ colour }: Annotation, palette: Palette): string {
  return colour !== '' && CSS.supports('color', colour) ? colour : palette.accent;
}
