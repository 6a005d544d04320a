// All that a picture of a history depends on, apart from where one looks.
import { Axis, type Scale } from './axis.ts';
import type { History, ObjectFacts } from './history.ts';
import { Points } from './linearization.ts';
import { kColours } from './palette.ts';
import { Groups, Lanes, Sums, type Grouping } from './rows.ts';
import { search } from './search.ts';

const kMostProcesses = 200; // with more, as few lanes as possible say more than a lane each

export class Scene {
  scale: Scale = 'time';
  grouping: Grouping;
  readonly hidden = new Map<Grouping, Set<number>>();
  query = '';
  onlyMatches = false;
  private explained!: ObjectFacts;
  coreRows: ReadonlySet<number> = new Set();
  contextRows: ReadonlySet<number> = new Set();
  points: Points | null = null;
  step = 0; // how many steps of the order have been taken; only while `points` is set

  axis!: Axis;
  lanes!: Lanes;
  sums!: Sums;
  shown: Uint8Array | null = null;
  marked: Uint8Array | null = null;
  matches = 0;
  readonly colourOf: Uint8Array; // by method
  private readonly groupsOf = new Map<Grouping, Groups>();

  constructor(readonly history: History) {
    const { facts } = history;
    this.object = facts.objects.find(({ verdict }) => verdict === facts.verdict) ?? facts.objects[0];
    this.grouping =
      facts.processes.length > 0 && facts.processes.length <= kMostProcesses ? 'process'
      : facts.objects.length > 1 ? 'object'
      : 'compact';
    if (history.duration === 0) this.scale = 'order';
    // A method's place in its type gives its colour, so that it has the same in all reports; unless two of those used
    // here would share one.
    const ranks = facts.methodRanks;
    const sorted = [...ranks.keys()].sort((a, b) => ranks[a] - ranks[b]);
    const alike = new Set(ranks.map((rank) => rank % kColours)).size < Math.min(ranks.length, kColours);
    this.colourOf = Uint8Array.from(ranks, (rank, i) => (alike ? sorted.indexOf(i) : rank) % kColours);
    this.layOut();
  }

  groups(grouping = this.grouping): Groups {
    let groups = this.groupsOf.get(grouping);
    if (groups === undefined) this.groupsOf.set(grouping, (groups = new Groups(this.history, grouping)));
    return groups;
  }
  groupings(): Grouping[] {
    const { facts } = this.history;
    const all: Grouping[] = [];
    if (facts.processes.length > 0) all.push('process');
    if (facts.objects.length > 1) all.push('object');
    if (facts.keys.length > 0) all.push('key');
    if (facts.methods.length > 1) all.push('method');
    all.push('compact');
    return all;
  }
  /** The object that is explained. */
  get object(): ObjectFacts {
    return this.explained;
  }
  set object(object: ObjectFacts) {
    this.explained = object;
    this.coreRows = new Set(object.core);
    this.contextRows = new Set(object.context);
  }
  get core(): readonly number[] {
    return this.object.core ?? [];
  }

  setQuery(query: string): void {
    this.query = query;
    this.marked = search(this.history, query);
    this.matches = this.marked === null ? 0 : this.marked.reduce((count, mark) => count + mark, 0);
    if (this.marked === null) this.onlyMatches = false;
  }
  setOrder(order: number | undefined): void {
    this.points = order === undefined ? null : new Points(this.history, this.history.linearizations[order]);
    this.step = this.points === null ? 0 : this.points.linearization.order.length;
  }

  /** To be called after a change of what is shown, the scale or the grouping. */
  layOut(): void {
    this.shown = this.filter();
    this.axis = new Axis(this.history, this.scale, this.shown);
    this.lanes = new Lanes(this.groups(), this.shown, this.core);
    this.sumUp();
  }
  /** To be called after a change of what is marked. */
  sumUp(): void {
    const colours = Math.max(...this.colourOf, 0) + 1;
    this.sums = new Sums(this.lanes, this.axis, this.colourOf, colours, this.marked);
  }

  private filter(): Uint8Array | null {
    const filters = [...this.hidden].filter(([, ids]) => ids.size > 0);
    if (filters.length === 0 && !this.onlyMatches) return null;
    const shown = this.onlyMatches && this.marked !== null ? this.marked.slice() : new Uint8Array(this.history.size).fill(1);
    for (const [grouping, ids] of filters) {
      const groups = this.groups(grouping);
      for (let row = 0; row < shown.length; ++row) if (ids.has(groups.of(row))) shown[row] = 0;
    }
    return shown;
  }
}
