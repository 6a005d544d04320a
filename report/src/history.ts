// A history as the page holds it: the facts of the payload's head, and a typed array for each property of the
// operations, which are numbered by row: in the order of their calls.
import type { Turns } from './interleaving.ts';
import { Linearization } from './linearization.ts';

export type Verdict = 'linearizable' | 'violation' | 'unknown';

export interface Attempt {
  order: number;
  state: string;
  refusal: string; // of the operation that is blocked, or of the one that is blocked then
  thenBlocked?: number;
}

export interface ObjectFacts {
  name: string;
  type: string;
  verdict: Verdict;
  reason: string;
  decider: string;
  why: string;
  operations: number;
  pending: number;
  sentence?: string;
  minimal?: boolean;
  start?: { tick: string; state: string; type: string }; // of the core, where it is not the initial state
  refusedOrder?: { sentence: string; operations: number[] };
  core?: number[];
  context?: number[]; // what shows that the one operation of the core is impossible
  blocked?: number;
  attempts?: Attempt[];
  attemptsInAll?: number;
  order?: number;
  omitted?: number[];
}

export interface Annotation {
  begin: number;
  end?: number;
  text: string;
  process: string;
  colour: string;
}

/** Set where not all of a history is shown: how much there is in all. */
export interface LeftOut {
  operations: number;
  annotations: number;
  shownAnnotations: number;
  methods: { name: string; operations: number; pending: number; shown: number }[];
}

export interface Facts {
  label: string;
  verdict: Verdict;
  reason: string;
  operations: number;
  pending: number;
  eventCount: number;
  seconds: number;
  base: string;
  methods: string[];
  methodRanks: number[]; // where the type lists each of them
  processes: string[];
  keys: string[];
  texts: string[];
  fields: string[]; // what operations carry besides: the names
  leftOut?: LeftOut;
  annotations: Annotation[];
  interleaving?: Turns;
  objects: ObjectFacts[];
}

export const enum Kind {
  none,
  nil,
  unknown,
  false,
  true,
  integer,
  text,
}

/** Values side by side: what kind each is, and its integer or the number of its text. */
export class Values {
  readonly kind: Uint8Array;
  readonly content: Float64Array;
  constructor(size: number) {
    this.kind = new Uint8Array(size);
    this.content = new Float64Array(size);
  }
}

export class History {
  readonly size: number;
  readonly call: Float64Array; // ticks since the first event
  readonly response: Float64Array; // Infinity: pending
  readonly callRank: Uint32Array;
  readonly responseRank: Uint32Array; // eventCount: pending
  readonly eventTime: Float64Array; // by rank
  readonly eventOperation: Uint32Array; // by rank: 2 row + 1 for a response
  method: Uint16Array;
  process: Uint32Array | null = null; // 0: none; else one more than the index of the name
  object: Uint32Array | null = null; // null: all of the first object
  key: Uint32Array | null = null; // 0: none; else one more than the index of the text
  number: Uint32Array | null = null; // in the input; null: the row
  line: Uint32Array | null = null; // in the input
  fields: Values[] = []; // by field, then row; none where an operation has none
  readonly argumentBegin: Uint32Array;
  arguments: Values;
  results: Values;
  linearizations: Linearization[] = [];

  constructor(readonly facts: Facts) {
    const size = facts.operations;
    this.size = size;
    this.call = new Float64Array(size);
    this.response = new Float64Array(size).fill(Infinity);
    this.callRank = new Uint32Array(size);
    this.responseRank = new Uint32Array(size).fill(facts.eventCount);
    this.eventTime = new Float64Array(facts.eventCount);
    this.eventOperation = new Uint32Array(facts.eventCount);
    this.method = new Uint16Array(size);
    this.argumentBegin = new Uint32Array(size + 1);
    this.arguments = new Values(0);
    this.results = new Values(size);
  }

  get duration(): number {
    return this.facts.eventCount === 0 ? 0 : this.eventTime[this.facts.eventCount - 1];
  }
  pending(row: number): boolean {
    return this.responseRank[row] === this.facts.eventCount;
  }
  objectOf(row: number): ObjectFacts {
    return this.facts.objects[this.object === null ? 0 : this.object[row]];
  }
  processName(row: number): string {
    const process = this.process === null ? 0 : this.process[row];
    return process === 0 ? '' : this.facts.processes[process - 1];
  }
  keyText(row: number): string {
    const key = this.key === null ? 0 : this.key[row];
    return key === 0 ? '' : this.facts.keys[key - 1];
  }
  /** What the operation carries besides, name by name. */
  fieldTexts(row: number): [name: string, text: string][] {
    return this.facts.fields.map((name, k): [string, string] => [name, this.valueText(this.fields[k], row)])
      .filter((_, k) => this.fields[k].kind[row] !== Kind.none);
  }
  methodName(row: number): string {
    return this.facts.methods[this.method[row]];
  }

  valueText(values: Values, i: number): string {
    switch (values.kind[i]) {
      case Kind.none: return '';
      case Kind.nil: return 'nil';
      case Kind.unknown: return '?';
      case Kind.false: return 'false';
      case Kind.true: return 'true';
      case Kind.integer: return String(values.content[i]);
      default: return this.facts.texts[values.content[i]];
    }
  }
  argumentTexts(row: number): string[] {
    const texts = [];
    for (let i = this.argumentBegin[row]; i < this.argumentBegin[row + 1]; ++i) {
      texts.push(this.valueText(this.arguments, i));
    }
    return texts;
  }
  /** "enqueue(1) → ok" */
  describe(row: number): string {
    const call = `${this.methodName(row)}(${this.argumentTexts(row).join(', ')})`;
    const unknown = this.pending(row) && this.results.kind[row] === Kind.unknown;
    const result = unknown ? '' : this.valueText(this.results, row);
    return result === '' ? call : `${call} → ${result}`;
  }

  /** A tick as the input writes it. */
  tickText(ticks: number): string {
    if (ticks === Infinity) return 'never';
    // Past 2^53 a number of ticks is no longer exact.
    const exact = Math.abs(ticks) <= Number.MAX_SAFE_INTEGER;
    return (exact ? '' : '≈ ') + (BigInt(this.facts.base) + BigInt(Math.round(ticks))).toString();
  }
  numberOf(row: number): number {
    return this.number === null ? row : this.number[row];
  }
  rowOf(number: number): number | undefined {
    if (this.number === null) return number >= 0 && number < this.size ? number : undefined;
    const row = this.number.indexOf(number);
    return row < 0 ? undefined : row;
  }
}
