// Which row of the picture each operation lies in. A group (a process, an object, a key, a method) takes as many rows
// as it has operations open at the same time.
import type { Axis } from './axis.ts';
import type { History } from './history.ts';

export type Grouping = 'process' | 'object' | 'key' | 'method' | 'compact';

export interface Group {
  id: number;
  name: string;
  operations: number;
}

/** The groups of a history: how many there are, and which one an operation belongs to. */
export class Groups {
  readonly all: Group[];
  private readonly column: ArrayLike<number> | null;

  constructor(readonly history: History, readonly grouping: Grouping) {
    const { facts } = history;
    const kinds: Record<Grouping, [column: ArrayLike<number> | null, names: string[]]> = {
      process: [history.process, ['no process', ...facts.processes]],
      key: [history.key, ['no key', ...facts.keys]],
      object: [history.object, facts.objects.map(({ name, type }) => name || type)],
      method: [history.method, facts.methods],
      compact: [null, ['']],
    };
    const [column, names] = kinds[grouping];
    this.column = column;
    this.all = names.map((name, id) => ({ id, name, operations: 0 }));
    for (let row = 0; row < history.size; ++row) ++this.all[this.of(row)].operations;
  }

  of(row: number): number {
    return this.column === null ? 0 : this.column[row];
  }
  /** Those that have operations, as people would order them. */
  listed(): Group[] {
    const used = this.all.filter((group) => group.operations > 0);
    return used.sort((a, b) => compareNames(a.name, b.name));
  }
}

const collator = new Intl.Collator('en', { numeric: true });
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}

export interface Lane {
  name: string;
  first: boolean; // of its group
  core: boolean; // its group has operations of the core
}

export class Lanes {
  readonly lanes: Lane[] = [];
  readonly laneOf: Int32Array; // by row; -1: not shown
  readonly begin: Uint32Array; // by lane, and one more: into `rows`
  readonly rows: Uint32Array; // lane by lane, in the order of their calls

  constructor(groups: Groups, shown: Uint8Array | null, core: readonly number[]) {
    const { history } = groups;
    this.laneOf = new Int32Array(history.size).fill(-1);
    const inCore = new Set(core.map((row) => groups.of(row)));
    // Lanes within the groups. One process has one lane: its operations touch at most.
    const single = groups.grouping === 'process';
    const lanes: number[] = new Array(groups.all.length).fill(0);
    const taken: Uint8Array[] = groups.all.map(() => new Uint8Array(1));
    const lowest: number[] = new Array(groups.all.length).fill(0); // no lane below it is free
    const { eventOperation } = history;
    for (let rank = 0; rank < eventOperation.length; ++rank) {
      const row = eventOperation[rank] >> 1;
      if (shown !== null && shown[row] === 0) continue;
      const group = groups.of(row);
      if (single && group !== 0) {
        this.laneOf[row] = 0;
        lanes[group] = 1;
      } else if (eventOperation[rank] % 2 === 0) {
        let lane = lowest[group];
        while (taken[group][lane] === 1) ++lane;
        if (lane >= taken[group].length) {
          const longer = new Uint8Array(2 * lane + 2);
          longer.set(taken[group]);
          taken[group] = longer;
        }
        taken[group][lane] = 1;
        lowest[group] = lane + 1;
        lanes[group] = Math.max(lanes[group], lane + 1);
        this.laneOf[row] = lane;
      } else {
        taken[group][this.laneOf[row]] = 0;
        lowest[group] = Math.min(lowest[group], this.laneOf[row]);
      }
    }
    // Groups of the core come first.
    const listed = groups.listed().filter((group) => lanes[group.id] > 0);
    const ordered = [...listed.filter(({ id }) => inCore.has(id)), ...listed.filter(({ id }) => !inCore.has(id))];
    const firstLane: number[] = new Array(groups.all.length).fill(0);
    for (const group of ordered) {
      firstLane[group.id] = this.lanes.length;
      for (let lane = 0; lane < lanes[group.id]; ++lane) {
        this.lanes.push({ name: group.name, first: lane === 0, core: inCore.has(group.id) });
      }
    }
    this.begin = new Uint32Array(this.lanes.length + 1);
    for (let row = 0; row < history.size; ++row) {
      if (this.laneOf[row] < 0) continue;
      this.laneOf[row] += firstLane[groups.of(row)];
      ++this.begin[this.laneOf[row] + 1];
    }
    for (let lane = 0; lane < this.lanes.length; ++lane) this.begin[lane + 1] += this.begin[lane];
    this.rows = new Uint32Array(this.begin[this.lanes.length]);
    const next = this.begin.slice();
    for (let row = 0; row < history.size; ++row) {
      if (this.laneOf[row] >= 0) this.rows[next[this.laneOf[row]]++] = row;
    }
  }

  /** The part of `rows` that a lane shows between two places of the axis. */
  visible(axis: Axis, lane: number, from: number, to: number): [number, number] {
    let low = this.begin[lane];
    let high = this.begin[lane + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (axis.end[this.rows[middle]] < from) low = middle + 1;
      else high = middle;
    }
    const begin = low;
    high = this.begin[lane + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (axis.start[this.rows[middle]] <= to) low = middle + 1;
      else high = middle;
    }
    return [begin, low];
  }
}

/**
 * Sums over the rows of lanes, so that what any stretch of a lane holds costs one subtraction: how long its operations
 * last, and how many there are of each colour.
 */
export class Sums {
  readonly length: Float64Array;
  readonly colours: Uint32Array[];
  readonly marked: Uint32Array | null;

  constructor(lanes: Lanes, axis: Axis, colourOf: Uint8Array, colours: number, marked: Uint8Array | null) {
    const { rows } = lanes;
    this.length = new Float64Array(rows.length + 1);
    this.colours = Array.from({ length: colours }, () => new Uint32Array(rows.length + 1));
    this.marked = marked === null ? null : new Uint32Array(rows.length + 1);
    const { method } = axis.history;
    for (let k = 0; k < rows.length; ++k) {
      this.length[k + 1] = this.length[k] + axis.end[rows[k]] - axis.start[rows[k]];
    }
    this.colours.forEach((sums, colour) => {
      for (let k = 0; k < rows.length; ++k) sums[k + 1] = sums[k] + (colourOf[method[rows[k]]] === colour ? 1 : 0);
    });
    if (this.marked !== null && marked !== null) {
      for (let k = 0; k < rows.length; ++k) this.marked[k + 1] = this.marked[k] + marked[rows[k]];
    }
  }
}
