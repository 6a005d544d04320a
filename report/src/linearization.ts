// An order of operations, when each took effect in it, and the states that it leads through.
import type { History } from './history.ts';
import { Varints } from './bytes.ts';

const kStride = 256; // steps from one state that is kept to the next

export class Linearization {
  private readonly kept: { at: number; state: Uint8Array }[] = [];

  /** `order`: rows. `states`: how each of the first `stateCount` states differs from the one before. */
  constructor(
    readonly order: Uint32Array,
    readonly initial: string,
    readonly stateCount: number,
    private readonly states: Varints,
  ) {
    let state: Uint8Array = new TextEncoder().encode(initial);
    for (let k = 0; k < stateCount; ++k) {
      if (k % kStride === 0) this.kept.push({ at: states.at, state });
      state = follow(state, states);
    }
  }

  /** The state after the first `steps` steps; undefined where it was not worked out. */
  state(steps: number): string | undefined {
    if (steps === 0) return this.initial;
    if (steps > this.stateCount) return undefined;
    const start = Math.floor((steps - 1) / kStride);
    const states = new Varints(this.states.bytes);
    states.at = this.kept[start].at;
    let state = this.kept[start].state;
    for (let k = start * kStride; k < steps; ++k) state = follow(state, states);
    return new TextDecoder().decode(state);
  }
}

function follow(state: Uint8Array, states: Varints): Uint8Array {
  const head = states.next();
  const tail = states.next();
  const middle = states.take(states.next());
  const next = new Uint8Array(head + middle.length + tail);
  next.set(state.subarray(0, head));
  next.set(middle, head);
  next.set(state.subarray(state.length - tail), head + middle.length);
  return next;
}

/** Which step of a linearization each row is, and where on the axis of ranks. */
export class Points {
  readonly step: Int32Array; // by row; -1: not in it
  readonly rank: Float64Array; // by row: the rank of the event before, and how far on the way to the next one

  constructor(history: History, readonly linearization: Linearization) {
    const order = linearization.order;
    this.step = new Int32Array(history.size).fill(-1);
    this.rank = new Float64Array(history.size).fill(NaN);
    // An operation takes effect as early as it can: right after the latest call so far. Those between the same two
    // events share the way.
    let gap = -1;
    for (let begin = 0; begin < order.length; ) {
      gap = Math.max(gap, history.callRank[order[begin]]);
      let end = begin + 1;
      while (end < order.length && history.callRank[order[end]] <= gap) ++end;
      for (let k = begin; k < end; ++k) {
        this.step[order[k]] = k;
        this.rank[order[k]] = gap + (k - begin + 1) / (end - begin + 1);
      }
      begin = end;
    }
  }
}
