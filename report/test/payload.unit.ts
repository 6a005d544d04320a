import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { History } from '../src/history.ts';
import { generate, historiesIn, history, reportOf, reportOn, scratch } from './report.ts';

interface Line {
  process: string;
  call: string;
  response: string;
  text: string;
}

/** The operations of a native text, by a reading of it that shares nothing with the tool's. */
function linesOf(text: string): Line[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => {
    const [process, call, response, method, ...rest] = line.split(' ').filter((word) => !word.startsWith('object='));
    const arrow = rest.indexOf('->');
    const call_ = `${method}(${(arrow < 0 ? rest : rest.slice(0, arrow)).join(', ')})`;
    return { process, call, response, text: arrow < 0 ? call_ : `${call_} → ${rest.slice(arrow + 1).join(' ')}` };
  });
}

function assertSame(decoded: History, lines: Line[]): void {
  assert.equal(decoded.size, lines.length);
  for (let row = 0; row < decoded.size; ++row) {
    const line = lines[decoded.numberOf(row)];
    assert.equal(decoded.describe(row), line.text);
    assert.equal(decoded.tickText(decoded.call[row]), line.call);
    assert.equal(decoded.pending(row) ? '-' : decoded.tickText(decoded.response[row]), line.response);
    assert.equal(decoded.processName(row), line.process === '_' ? '' : line.process);
  }
}

test('a payload holds every operation of the input', () => {
  for (const options of [
    ['queue', '--pending', '5'],
    ['map', '-p', '6', '--keys', '30', '--ties', '0.3'],
    ['register', '--values', 'unique', '--violation', 'anywhere'],
    ['priority-queue', '--peeks', '0.2'],
  ]) {
    const file = generate('some.txt', ...options, '-n', '3000', '--seed', '7');
    assertSame(historiesIn(reportOf('some', file))[0], linesOf(readFileSync(file, 'utf8')));
  }
});

test('operations out of order, long clocks, negative and big values survive', () => {
  const text = `# type: register
b 1700000000000000007 1700000000000000020 write -9223372036854775808
a 1700000000000000001 1700000000000000005 write 9007199254740993
a 1700000000000000006 1700000000000000030 read -> -9223372036854775808
c 1700000000000000002 - write 4611686018427387904
e 1700000000000000003 - read -> 5
d 1700000000000000031 1700000000000000032 read -> ?
`;
  assertSame(history(text), linesOf(text));
});

test('a clock that spans more than a number can count says that its ticks are rounded', () => {
  const decoded = history('# type: register\n0 -4611686018427387904 -4611686018427387903 write 1\n1 4611686018427387000 4611686018427387001 read -> 1\n');
  assert.equal(decoded.tickText(decoded.call[0]), '-4611686018427387904');
  assert.match(decoded.tickText(decoded.call[1]), /^≈ 46116860184273\d+$/);
});

test('texts, lists, objects, keys and lines come along', () => {
  const decoded = history(`# type: map
0 1 2 put "a \\"b\\" </script>" [1 [2 3] x]
1 3 4 get "a \\"b\\" </script>" -> [1 [2 3] x]
`);
  assert.equal(decoded.describe(1), 'get("a \\"b\\" </script>") → [1 [2 3] x]');
  assert.equal(decoded.keyText(0), '"a \\"b\\" </script>"');
  assert.equal(decoded.line![1], 4);
  const two = history('# type: queue\n0 1 2 object=left enqueue 1\n0 3 4 object=right enqueue 2\n1 5 6 object=left dequeue -> 1\n');
  assert.deepEqual([0, 1, 2].map((row) => two.objectOf(row).name), ['left', 'right', 'left']);
});

test('what operations carry comes along: numbers of up to 64 bits, texts, lists, and where there is none', () => {
  const text = `# type: register
a 1 2 @revision=-9223372036854775807 @server=n1 write 1
b 3 4 write 2
c 5 6 @revision=9223372036854775807 @term=3 @error="timed out" read -> 2
d 7 - @term=4 @server=n1 @path=[n1 2] @last=true write 5
`;
  const decoded = history(text);
  assert.deepEqual(decoded.facts.fields, ['revision', 'server', 'term', 'error', 'path', 'last']);
  assert.deepEqual([0, 1, 2, 3].map((row) => decoded.fieldTexts(row)), [
    [['revision', '-9223372036854775807'], ['server', 'n1']],
    [],
    [['revision', '9223372036854775807'], ['term', '3'], ['error', '"timed out"']],
    [['server', 'n1'], ['term', '4'], ['path', '[n1 2]'], ['last', 'true']],
  ]);
});

test('a limit leaves what the verdict speaks of, what is near it, and counts of the rest', () => {
  const lines = Array.from({ length: 200 }, (_, i) => `0 ${10 * i} ${10 * i + 5} enqueue ${i}`);
  lines.push('1 1001 1002 dequeue -> 99', '1 1003 - dequeue');
  const file = scratch('limited.txt');
  writeFileSync(file, `# linchpin 1\n# type: queue\n${lines.join('\n')}\n`);
  const [decoded] = historiesIn(reportOf('limited', file, '--report-limit', '10'));
  const { facts } = decoded;
  assert.equal(facts.verdict, 'violation');
  assert.equal(decoded.size, 10);
  assert.deepEqual(facts.leftOut, {
    operations: 202, annotations: 0, shownAnnotations: 0,
    methods: [{ name: 'enqueue', operations: 200, pending: 0, shown: facts.leftOut!.methods[0].shown }, { name: 'dequeue', operations: 2, pending: 1, shown: facts.leftOut!.methods[1].shown }],
  });
  assert.equal(facts.leftOut!.methods[0].shown + facts.leftOut!.methods[1].shown, 10);
  const core = facts.objects[0].core!;
  assert.ok(core.some((row) => decoded.describe(row) === 'dequeue() → 99'));
  assert.ok([...decoded.number!].some((input, row) => input !== row), 'numbers are those of the input');
});

test('annotations come along', () => {
  const { annotations } = history(`# type: queue
# annotation 100 180 "the network splits" process=n1 colour="#cc0000"
# annotation 90 - "started"
0 101 102 enqueue 1
`).facts;
  assert.deepEqual(annotations, [
    { begin: -1, end: 79, text: 'the network splits', process: 'n1', colour: '#cc0000' },
    { begin: -11, text: 'started', process: '', colour: '' },
  ]);
});

test('an empty history has a payload', () => {
  assert.equal(history('# type: queue\n').size, 0);
});

test('each of several histories is there', () => {
  const report = reportOn('several', '# type: queue\n0 1 2 enqueue 1\n', '# type: stack\n0 1 2 push 1\n');
  assert.deepEqual(historiesIn(report).map((each) => each.describe(0)), ['enqueue(1)', 'push(1)']);
});

test('a large history takes less than 10 bytes an operation, page included', () => {
  const file = generate('large.txt', 'stack', '-n', '100000', '-p', '40', '--violation', 'late');
  assert.ok(statSync(reportOf('large', file)).size < 10 * 100_000);
});

test('a linearizable history has an order that keeps happens-before, and its states', () => {
  const decoded = historiesIn(reportOf('order', generate('order.txt', 'stack', '-n', '2000', '--seed', '3')))[0];
  const { order, stateCount } = decoded.linearizations[decoded.facts.objects[0].order!];
  assert.equal(order.length, 2000);
  assert.equal(new Set(order).size, 2000);
  let latest = -1;
  for (const row of order) {
    latest = Math.max(latest, decoded.callRank[row]);
    assert.ok(latest < decoded.responseRank[row]);
  }
  // The states against a stack of our own.
  const linearization = decoded.linearizations[0];
  assert.equal(stateCount, 2000);
  const stack: string[] = [];
  for (let k = 0; k < 2000; ++k) {
    const [, argument, result] = /\((.*)\)(?: → (.*))?/.exec(decoded.describe(order[k]))!;
    if (decoded.methodName(order[k]) === 'push') stack.push(argument);
    else if (result !== 'nil') assert.equal(stack.pop(), result);
    if (k % 61 === 0 || k > 1990) assert.match(linearization.state(k + 1)!, new RegExp(`^\\[${stack.join(', ')}\\]`));
  }
});
