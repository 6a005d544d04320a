// From the bytes of a payload to a History. docs/design/report.md has the layout.
import { Varints } from './bytes.ts';
import { History, Kind, Values, type Facts } from './history.ts';
import { Linearization } from './linearization.ts';

interface Head extends Facts {
  columns: [name: string, bytes: number][];
  linearizations: { steps: number; states: number; initial: string }[];
}

export function decode(bytes: Uint8Array): History {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Head;
  const columns = new Map<string, Uint8Array>();
  let at = 4 + length;
  for (const [name, size] of head.columns) {
    columns.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  const column = (name: string) => new Varints(columns.get(name) ?? new Uint8Array());
  const history = new History(head);
  const size = history.size;
  const indices = (name: string): Uint32Array | null => {
    if (!columns.has(name)) return null;
    const numbers = column(name);
    const out = new Uint32Array(size);
    for (let i = 0; i < size; ++i) out[i] = numbers.next();
    return out;
  };
  decodeEvents(history, column('ticks'), column('events'));
  const methods = column('method');
  for (let i = 0; i < size; ++i) history.method[i] = methods.next();
  history.process = indices('process');
  history.object = indices('object');
  history.key = indices('key');
  if (columns.has('number')) history.number = decodeSteps(column('number'), size);
  if (columns.has('line')) {
    const lines = column('line');
    history.line = new Uint32Array(size);
    for (let i = 0, line = 0; i < size; ++i) history.line[i] = line += lines.difference();
  }
  decodeValues(history, column('argument counts'), column('arguments'), column('results'));
  history.fields = head.fields.map((_, k) => decodeField(column(`field ${k} without`), column(`field ${k}`), size));
  const steps = column('steps');
  const states = column('states');
  for (const { steps: count, states: stateCount, initial } of head.linearizations) {
    history.linearizations.push(new Linearization(decodeSteps(steps, count), initial, stateCount, states));
  }
  return history;
}

/** What operations carry: none where one has none. */
function decodeField(without: Varints, codes: Varints, size: number): Values {
  const out = new Values(size);
  const none = new Uint8Array(size);
  for (let row = -1; without.at < without.bytes.length; ) none[row += without.next()] = 1;
  const previous = new Float64Array(1);
  for (let row = 0; row < size; ++row) if (none[row] === 0) decodeValue(codes, out, row, previous, 0);
  return out;
}

/** Numbers, each as its difference from the one before and one. */
function decodeSteps(numbers: Varints, size: number): Uint32Array {
  const out = new Uint32Array(size);
  for (let i = 0, expected = 0; i < size; ++i) expected = 1 + (out[i] = expected + numbers.difference());
  return out;
}

function decodeEvents(history: History, ticks: Varints, events: Varints): void {
  const { call, response, callRank, responseRank, eventTime, eventOperation } = history;
  const open: number[] = []; // by slot: the row
  const free: number[] = [];
  let time = 0;
  let row = 0;
  for (let rank = 0; rank < eventTime.length; ++rank) {
    eventTime[rank] = time += ticks.next();
    const event = events.next();
    if (event === 0) {
      const own = free.length > 0 ? free.pop()! : open.length;
      open[own] = row;
      call[row] = time;
      callRank[row] = rank;
      eventOperation[rank] = 2 * row;
      ++row;
    } else {
      const returned = open[event - 1];
      free.push(event - 1);
      response[returned] = time;
      responseRank[returned] = rank;
      eventOperation[rank] = 2 * returned + 1;
    }
  }
}

const kPlaces = 4; // a method's result, and its arguments 1, 2, 3 and later

function decodeValues(history: History, counts: Varints, codes: Varints, resultCodes: Varints): void {
  const { size, argumentBegin, method } = history;
  const usual = new Int32Array(history.facts.methods.length); // by method: how many arguments the last one had
  for (let i = 0, begin = 0; i < size; ++i) argumentBegin[i + 1] = begin += usual[method[i]] += counts.difference();
  const previous = new Float64Array(history.facts.methods.length * kPlaces);
  history.arguments = new Values(argumentBegin[size]);
  for (let row = 0; row < size; ++row) {
    const begin = argumentBegin[row];
    for (let i = begin; i < argumentBegin[row + 1]; ++i) {
      decodeValue(codes, history.arguments, i, previous, method[row] * kPlaces + Math.min(i - begin + 1, kPlaces - 1));
    }
  }
  for (let row = 0; row < size; ++row) decodeValue(resultCodes, history.results, row, previous, method[row] * kPlaces);
}

/** @param previous by place: the integer from which the next one is a difference */
function decodeValue(from: Varints, values: Values, i: number, previous: Float64Array, place: number): void {
  const code = from.next();
  if (code < Kind.integer) {
    values.kind[i] = code;
  } else if (code % 2 === 0) {
    values.kind[i] = Kind.text;
    values.content[i] = code / 2 - 3;
  } else {
    const zigzag = (code - 5) / 2;
    values.kind[i] = Kind.integer;
    values.content[i] = previous[place] += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }
}
