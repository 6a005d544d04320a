// Why the verdict is what it is, in a sentence whose operations can be followed to the picture.
import { make } from './dom.ts';
import type { History, ObjectFacts } from './history.ts';

const kReasons: Record<string, string> = {
  time: 'the time limit was reached',
  memory: 'the memory limit was reached',
  cancelled: 'the check was cancelled',
};

export function sentence(history: History, object: ObjectFacts, choose: (row: number) => void): (Node | string)[] {
  switch (object.verdict) {
    case 'violation': return linked(history, object, choose);
    case 'linearizable': {
      const pending = object.pending === 0 ? '' : '; those that never returned may have had none';
      return [`Every operation can be given a moment between its call and its return at which it took effect, in an order that the type allows${pending}.`];
    }
    case 'unknown': {
      const reason = kReasons[object.reason];
      return [`It is not known whether the history is linearizable${reason === undefined ? '' : `: ${reason}`}.`];
    }
  }
}

/**
 * What the verdict rests on by the history's own account, a line each: what the recording lost, so that it is about the
 * rest; for a violation also what was assumed.
 */
export function caveats(history: History, verdict: string): string {
  const prefixes = verdict === 'violation' ? ['missing: ', 'assumed: '] : ['missing: '];
  const texts = history.facts.annotations.map(({ text }) => text);
  return texts.filter((text) => prefixes.some((prefix) => text.startsWith(prefix))).join('\n');
}

/** The type's own words; where they name an operation of the core, a button. */
function linked(history: History, object: ObjectFacts, choose: (row: number) => void): (Node | string)[] {
  const text = (object.sentence || 'these operations cannot be put in an order that the type allows').replaceAll(' -> ', ' → ');
  const rows = [...(object.core ?? [])].slice(0, 100);
  const named = rows.map((row) => ({ row, name: history.describe(row) })).filter(({ name }) => text.includes(name));
  named.sort((a, b) => b.name.length - a.name.length); // "pop() → 12" before "pop() → 1"
  const parts: (Node | string)[] = [];
  const used = new Set<number>();
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const fits = named.filter(({ name }) => text.startsWith(name, at) && !/\w/.test(text[at + name.length] ?? ''));
    // Two operations that read alike are named one after the other.
    const found = fits.find(({ row }) => !used.has(row)) ?? fits[0];
    if (found === undefined || /\w/.test(text[at - 1] ?? '')) {
      plain += text[at++];
      continue;
    }
    used.add(found.row);
    const button = make('button', { type: 'button' }, found.name);
    button.addEventListener('click', () => choose(found.row));
    parts.push(plain, button);
    plain = '';
    at += found.name.length;
  }
  parts.push(plain);
  const first = parts[0];
  if (typeof first === 'string' && first !== '') parts[0] = first[0].toUpperCase() + first.slice(1);
  if (!/[.!?]\s*$/.test(text)) parts.push('.');
  return parts;
}
