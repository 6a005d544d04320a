// Where operations lie along the page: by time, or by the order of the events among the operations that are shown.
import type { History } from './history.ts';

export type Scale = 'time' | 'order';

export class Axis {
  readonly start: ArrayLike<number>; // by row
  readonly end: ArrayLike<number>; // by row; a pending operation ends with the axis
  readonly length: number; // from 0
  /** By rank, in the scale of order: how many events that are shown lie before. */
  private readonly place: Uint32Array | null;

  constructor(readonly history: History, readonly scale: Scale, readonly shown: Uint8Array | null) {
    const { size, eventTime, eventOperation, callRank, responseRank } = history;
    if (scale === 'time') {
      this.place = null;
      // A schedule goes on to its last step, whatever returned.
      const last = (history.facts.interleaving?.steps.length ?? 0) - Number(history.facts.base);
      const duration = history.facts.interleaving === undefined ? history.duration : Math.max(history.duration, last);
      this.length = duration > 0 ? duration : 1;
      const past = this.length * 1.02;
      const end = new Float64Array(size);
      for (let i = 0; i < size; ++i) end[i] = history.pending(i) ? past : history.response[i];
      this.start = history.call;
      this.end = end;
      if (history.facts.pending > 0) this.length = past;
      return;
    }
    this.place = new Uint32Array(eventTime.length + 1);
    let count = 0;
    for (let rank = 0; rank < eventTime.length; ++rank) {
      this.place[rank] = count;
      if (shown === null || shown[eventOperation[rank] >> 1] !== 0) ++count;
    }
    this.place[eventTime.length] = count;
    if (shown === null) {
      this.start = callRank;
      this.end = responseRank;
    } else {
      const start = new Uint32Array(size);
      const end = new Uint32Array(size);
      for (let i = 0; i < size; ++i) {
        start[i] = this.place[callRank[i]];
        end[i] = this.place[responseRank[i]];
      }
      this.start = start;
      this.end = end;
    }
    this.length = Math.max(count, 1);
  }

  /** Where a place between events lies: 2.5 is half way from the event of rank 2 to the next one. */
  ofRank(rank: number): number {
    const { eventTime } = this.history;
    const before = Math.min(Math.max(Math.floor(rank), 0), Math.max(eventTime.length - 1, 0));
    const from = this.place === null ? (eventTime[before] ?? 0) : this.place[before];
    const to =
      this.place !== null ? this.place[before + 1]
      : before + 1 < eventTime.length ? eventTime[before + 1]
      : this.length;
    return from + (to - from) * (rank - before);
  }

  /** The rank of a place on the axis: the inverse of ofRank. */
  toRank(at: number): number {
    const events = this.place ?? this.history.eventTime;
    const size = this.history.eventTime.length;
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle] <= at) low = middle + 1;
      else high = middle;
    }
    const before = Math.max(low - 1, 0);
    const from = this.ofRank(before);
    const to = this.ofRank(before + 0.999999);
    return before + (to > from ? Math.min(Math.max((at - from) / (to - from), 0), 0.999999) : 0);
  }

  /** Where a tick lies. */
  ofTick(tick: number): number {
    if (this.place === null) return tick;
    const { eventTime } = this.history;
    let low = 0;
    let high = eventTime.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (eventTime[middle] < tick) low = middle + 1;
      else high = middle;
    }
    // Half way between the events that it falls between, or on the event at its very tick.
    if (low < eventTime.length && eventTime[low] === tick) return this.place[low];
    return Math.max((this.place[low] ?? 0) - 0.5, -0.5);
  }
}
