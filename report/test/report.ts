// Reports for tests: what the command line tool under test writes.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { decode } from '../src/payload.ts';
import type { History } from '../src/history.ts';

const kLinchpin = process.env.LINCHPIN ?? '../build/release/bin/linchpin';
const kScratch = process.env.LINCHPIN_SCRATCH!;

export function scratch(name: string): string {
  return join(kScratch, name);
}

/** The path of a report on histories given as text, each in the native format. */
export function reportOn(name: string, ...texts: string[]): string {
  const files = texts.map((text, i) => {
    const file = scratch(`${name}-${i}.txt`);
    writeFileSync(file, `# linchpin 1\n${text}`);
    return file;
  });
  return reportOf(name, ...files);
}
/** `options`: files, and what else `linchpin check` is given. */
export function reportOf(name: string, ...options: string[]): string {
  const report = scratch(`${name}.html`);
  const time = options.includes('--time-limit') ? [] : ['--time-limit', '10'];
  const { status, stderr } = spawnSync(
    kLinchpin, ['check', '--quiet', '--memory-limit', '1G', ...time, '--report', report, ...options],
    { encoding: 'utf8', timeout: 30_000 },
  );
  if (status !== 0 && status !== 1 && status !== 3) throw new Error(`linchpin check ended with ${status}: ${stderr}`);
  return report;
}
/** What `linchpin explore` writes of a planted bug; undefined where this build does not explore. */
export function exploredReport(name: string, planted: string): string | undefined {
  const report = scratch(`${name}.html`);
  const { status, stderr } = spawnSync(kLinchpin, ['explore', planted, '--report', report], { encoding: 'utf8', timeout: 60_000 });
  if (status === 1) return report;
  if (/cannot run|There is no|was not expected/.test(stderr)) return undefined;
  throw new Error(`linchpin explore ended with ${status}: ${stderr}`);
}
export function generate(name: string, ...options: string[]): string {
  const file = scratch(name);
  execFileSync(kLinchpin, ['generate', ...options, '-o', file]);
  return file;
}

/** The histories in a report, decoded as the page does it. */
export function historiesIn(report: string): History[] {
  const page = readFileSync(report, 'utf8');
  return [...page.matchAll(/<script type="text\/plain" id="history-\d+">([^<]*)<\/script>/g)].map(([, text]) =>
    decode(new Uint8Array(inflateSync(Buffer.from(text, 'base64')))));
}

export function history(text: string): History {
  return historiesIn(reportOn(`history-${counter++}`, text))[0];
}
let counter = 0;

export const kQueueViolation = `# type: queue
producer-a 1 3 enqueue red
producer-b 5 8 enqueue blue
consumer-a 6 11 dequeue -> blue
consumer-b 12 14 dequeue -> red
producer-a 16 19 enqueue green
`;
