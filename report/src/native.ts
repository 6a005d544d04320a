// Operations in the native text format, so that what is looked at can be checked again: linchpin check core.txt.
import { Kind, type History, type ObjectFacts } from './history.ts';

/** Nothing where a text did not come along whole: it was too long, or no UTF-8. */
export function nativeText(history: History, object: ObjectFacts, rows: readonly number[]): string | undefined {
  const lines = ['# linchpin 1', `# type: ${object.start?.type ?? object.type}`];
  for (const row of rows) {
    if (isCut(history, row)) return undefined;
    const response = history.pending(row) ? '-' : history.tickText(history.response[row]);
    const words = [processOf(history, row), history.tickText(history.call[row]), response, methodOf(history, row), ...history.argumentTexts(row)];
    // What was lost is left out after a pending operation, where it means the same.
    const kind = history.results.kind[row];
    if (kind !== Kind.none && !(history.pending(row) && kind === Kind.unknown)) words.push('->', history.valueText(history.results, row));
    lines.push(words.join(' '));
  }
  return `${lines.join('\n')}\n`;
}

function processOf(history: History, row: number): string {
  const name = history.processName(row);
  if (name === '') return '-';
  // A name that would have to be quoted becomes a number of its own.
  return /^[\w.-]+$/.test(name) ? name : `process-${history.process![row]}`;
}

function methodOf(history: History, row: number): string {
  const name = history.methodName(row);
  return /^[A-Za-z_][\w.-]*$/.test(name) ? name : JSON.stringify(name);
}

function isCut(history: History, row: number): boolean {
  const texts = [...history.argumentTexts(row), history.valueText(history.results, row)];
  return texts.some((text) => text.length > 4000 || text.includes('\ufffd')) || history.tickText(history.call[row]).startsWith('≈');
}
