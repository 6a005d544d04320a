// What is searched for: words, all of which must fit an operation. A word is a value, or the name of a method, a
// process or a key, or a text that operations carry; "method:", "process:", "key:", "object:", "value:", "#number" and
// the name of what they carry ("server:n1") say which.
import { Kind, type History, type Values } from './history.ts';

const kKinds = ['method', 'process', 'key', 'object', 'value'];

/** 1 for each row that fits; null when nothing is asked. */
export function search(history: History, query: string): Uint8Array | null {
  const words = query.match(/(?:[^\s"]|"[^"]*")+/g);
  if (words === null) return null;
  const found = new Uint8Array(history.size).fill(1);
  for (const word of words) {
    const fits = fitting(history, word.toLowerCase());
    for (let row = 0; row < found.length; ++row) found[row] &= fits[row];
  }
  return found;
}

function fitting(history: History, word: string): Uint8Array {
  const fits = new Uint8Array(history.size);
  const { facts } = history;
  const carried = facts.fields.map((name) => name.toLowerCase());
  const before = word.slice(0, Math.max(0, word.indexOf(':')));
  const colon = kKinds.includes(before) || carried.includes(before);
  const kind = colon ? before : '';
  const text = unquoted(colon ? word.slice(before.length + 1) : word);
  if (!colon && /^#\d+$/.test(word)) {
    const row = history.rowOf(Number(word.slice(1)));
    if (row !== undefined) fits[row] = 1;
    return fits;
  }
  const fields = carried.flatMap((name, k) => (name === kind ? [k] : []));
  if (fields.length > 0) {
    for (const k of fields) byField(history, k, text, fits);
    return fits;
  }
  if (text === '') return kind === '' ? fits : fits.fill(1);
  // Names fit as a whole, or by their beginning where nothing has the whole name.
  const named = (names: readonly string[]) => {
    const lower = names.map((name) => unquoted(name.toLowerCase()));
    const whole = lower.map((name) => name === text);
    return whole.includes(true) ? whole : lower.map((name) => kind !== '' && name.startsWith(text));
  };
  const byColumn = (column: ArrayLike<number> | null, offset: number, names: readonly string[]) => {
    const wanted = named(names);
    if (!wanted.includes(true)) return;
    for (let row = 0; row < fits.length; ++row) {
      const index = (column === null ? 0 : column[row]) - offset;
      if (index >= 0 && wanted[index]) fits[row] = 1;
    }
  };
  if (kind === '' || kind === 'method') {
    const lower = facts.methods.map((name) => name.toLowerCase());
    const begins = lower.map((name) => name === text || (kind !== '' && name.startsWith(text)));
    if (begins.includes(true)) for (let row = 0; row < fits.length; ++row) if (begins[history.method[row]]) fits[row] = 1;
  }
  // A bare number is a value: processes are called 0, 1, 2 too, and are asked for with "process:".
  const bareNumber = kind === '' && /^-?\d+$/.test(text);
  if (kind === 'process' || (kind === '' && !bareNumber)) byColumn(history.process, 1, facts.processes);
  if (kind === 'key' || (kind === '' && !bareNumber)) byColumn(history.key, 1, facts.keys);
  if (kind === 'object' || (kind === '' && !bareNumber)) {
    byColumn(history.object, 0, facts.objects.map(({ name }) => name));
  }
  if (kind === '' || kind === 'value') byValue(history, text, fits);
  if (kind === '' && !bareNumber) facts.fields.forEach((_, k) => { byField(history, k, text, fits); });
  return fits;
}

/** The rows that carry the text; an empty text: anything. */
function byField(history: History, k: number, text: string, fits: Uint8Array): void {
  const fit = text === '' ? ({ kind }: Values, row: number) => kind[row] !== Kind.none : fitter(history, text);
  for (let row = 0; row < fits.length; ++row) if (fit(history.fields[k], row)) fits[row] = 1;
}

function byValue(history: History, text: string, fits: Uint8Array): void {
  const { argumentBegin } = history;
  const fit = fitter(history, text);
  for (let row = 0; row < fits.length; ++row) {
    if (fit(history.results, row)) fits[row] = 1;
    for (let i = argumentBegin[row]; i < argumentBegin[row + 1]; ++i) if (fit(history.arguments, i)) fits[row] = 1;
  }
}

/** Whether a value is the word, or a text has it as one of its words. */
function fitter(history: History, text: string): (values: Values, i: number) => boolean {
  const number = /^-?\d+$/.test(text) ? Number(text) : NaN;
  const special = ['', 'nil', '?', 'false', 'true'].indexOf(text);
  // A text fits if it is the word or has it as one of its words: [1 2 3] has 2.
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(^|[^\\w-])${escaped}($|[^\\w])`, 'i');
  const texts = history.facts.texts.map((each) => each.toLowerCase() === text || pattern.test(each));
  const anyText = texts.includes(true);
  return ({ kind, content }, i) =>
    kind[i] === Kind.integer ? content[i] === number
    : kind[i] === Kind.text ? anyText && texts[content[i]]
    : special > 0 && kind[i] === special;
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1');
}
