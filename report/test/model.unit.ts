import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Axis } from '../src/axis.ts';
import { Points } from '../src/linearization.ts';
import { common } from '../src/panel.ts';
import { Groups, Lanes, Sums, type Grouping } from '../src/rows.ts';
import { search } from '../src/search.ts';
import { generate, historiesIn, history, reportOf } from './report.ts';
import type { History } from '../src/history.ts';

const kSmall = `# type: queue
a 1 3 enqueue red
b 2 8 enqueue blue
c 6 11 dequeue -> blue
d 12 - dequeue
`;

function large(name: string): History {
  return historiesIn(reportOf(name, generate(`${name}.txt`, 'set', '-n', '5000', '-p', '20', '--pending', '9', '--seed', '2')))[0];
}

test('the axis of time has the ticks, and lets pending operations reach its end', () => {
  const axis = new Axis(history(kSmall), 'time', null);
  assert.deepEqual([...axis.start as Float64Array], [0, 1, 5, 11]);
  assert.deepEqual([...axis.end as Float64Array].slice(0, 3), [2, 7, 10]);
  assert.equal(axis.end[3], axis.length);
  assert.ok(axis.length > 11);
});

test('the axis of order counts the events that are shown', () => {
  const whole = new Axis(history(kSmall), 'order', null);
  assert.deepEqual([...whole.start as Uint32Array], [0, 1, 3, 6]);
  assert.deepEqual([...whole.end as Uint32Array], [2, 4, 5, 7]);
  const part = new Axis(history(kSmall), 'order', Uint8Array.from([0, 1, 1, 0]));
  assert.deepEqual([part.start[1], part.start[2], part.end[1], part.end[2]], [0, 1, 2, 3]);
  assert.equal(part.length, 4);
});

test('a place on the axis and its rank lead to one another', () => {
  const decoded = large('ranks');
  for (const scale of ['time', 'order'] as const) {
    const axis = new Axis(decoded, scale, null);
    for (const share of [0.01, 0.2, 0.5, 0.77, 0.99]) {
      const at = axis.length * share * 0.98;
      assert.ok(Math.abs(axis.ofRank(axis.toRank(at)) - at) < 1e-3 * axis.length / 100);
    }
  }
});

for (const grouping of ['process', 'key', 'method', 'compact'] as Grouping[]) {
  test(`lanes by ${grouping} hold each operation once, and none over another`, () => {
    const decoded = large(`lanes-${grouping}`);
    const lanes = new Lanes(new Groups(decoded, grouping), null, []);
    assert.equal(new Set(lanes.rows).size, decoded.size);
    for (let lane = 0; lane < lanes.lanes.length; ++lane) {
      for (let k = lanes.begin[lane] + 1; k < lanes.begin[lane + 1]; ++k) {
        assert.ok(decoded.responseRank[lanes.rows[k - 1]] < decoded.callRank[lanes.rows[k]]);
      }
    }
  });
}

test('compact lanes are as many as operations overlap', () => {
  const decoded = large('compact');
  let open = 0;
  let most = 0;
  for (const event of decoded.eventOperation) most = Math.max(most, (open += event % 2 === 0 ? 1 : -1));
  assert.equal(new Lanes(new Groups(decoded, 'compact'), null, []).lanes.length, most);
});

test('the lanes of the core come first', () => {
  const decoded = history(kSmall);
  const names = new Lanes(new Groups(decoded, 'process'), null, [2]).lanes.map(({ name }) => name);
  assert.deepEqual(names, ['c', 'a', 'b', 'd']);
});

test('what a lane shows is what overlaps the view', () => {
  const decoded = large('visible');
  const axis = new Axis(decoded, 'time', null);
  const lanes = new Lanes(new Groups(decoded, 'process'), null, []);
  const [from, to] = [axis.length * 0.3, axis.length * 0.42];
  for (let lane = 0; lane < lanes.lanes.length; ++lane) {
    const [begin, end] = lanes.visible(axis, lane, from, to);
    const rows = [...lanes.rows.subarray(lanes.begin[lane], lanes.begin[lane + 1])];
    assert.deepEqual([...lanes.rows.subarray(begin, end)], rows.filter((row) => axis.end[row] >= from && axis.start[row] <= to));
  }
});

test('sums give the length and the colours of any stretch', () => {
  const decoded = large('sums');
  const axis = new Axis(decoded, 'time', null);
  const lanes = new Lanes(new Groups(decoded, 'process'), null, []);
  const colourOf = Uint8Array.from(decoded.facts.methods, (_, i) => i);
  const marked = Uint8Array.from({ length: decoded.size }, (_, row) => (row % 3 === 0 ? 1 : 0));
  const sums = new Sums(lanes, axis, colourOf, decoded.facts.methods.length, marked);
  const rows = lanes.rows.subarray(100, 420);
  const length = rows.reduce((sum, row) => sum + axis.end[row] - axis.start[row], 0);
  assert.ok(Math.abs(sums.length[420] - sums.length[100] - length) < 1e-6);
  for (let method = 0; method < decoded.facts.methods.length; ++method) {
    assert.equal(sums.colours[method][420] - sums.colours[method][100], rows.filter((row) => decoded.method[row] === method).length);
  }
  assert.equal(sums.marked![420] - sums.marked![100], rows.filter((row) => row % 3 === 0).length);
});

function found(decoded: History, query: string): number[] {
  return [...search(decoded, query)!.entries()].filter(([, fits]) => fits === 1).map(([row]) => row);
}

test('search finds values, methods, processes, keys and numbers', () => {
  const queue = history(kSmall);
  assert.deepEqual(found(queue, 'blue'), [1, 2]);
  assert.deepEqual(found(queue, 'enqueue'), [0, 1]);
  assert.deepEqual(found(queue, 'method:deq'), [2, 3]);
  assert.deepEqual(found(queue, 'process:c'), [2]);
  assert.deepEqual(found(queue, 'blue enqueue'), [1]);
  assert.deepEqual(found(queue, '#3'), [3]);
  assert.deepEqual(found(queue, 'purple'), []);
  assert.equal(search(queue, '  '), null);
});

test('search finds what operations carry', () => {
  const map = history(`# type: map
a 1 2 @server=n1 @revision=4 put 3 7
a 3 4 @server=n2 @error="timed out after 2 s" get 3 -> 7
b 5 6 put 4 n1
`);
  assert.deepEqual(found(map, 'server:n1'), [0]);
  assert.deepEqual(found(map, 'n1'), [0, 2]);
  assert.deepEqual(found(map, 'server:'), [0, 1]);
  assert.deepEqual(found(map, 'error:timed'), [1]);
  assert.deepEqual(found(map, 'revision:4'), [0]);
  assert.deepEqual(found(map, '4'), [2], 'a bare number is a value');
  assert.deepEqual(found(map, 'server:n2 get'), [1]);
});

test('a bare number is a value, not a process', () => {
  const map = history('# type: map\n7 1 2 put 3 7\n3 3 4 get 3 -> 7\n7 5 6 get 30 -> nil\n7 7 8 put 4 [1 7 x]\n');
  assert.deepEqual(found(map, '7'), [0, 1, 3]);
  assert.deepEqual(found(map, 'process:7'), [0, 2, 3]);
  assert.deepEqual(found(map, 'key:3'), [0, 1]);
  assert.deepEqual(found(map, 'nil'), [2]);
});

test('an operation takes effect within its interval, and later ones later', () => {
  const decoded = historiesIn(reportOf('points', generate('points.txt', 'queue', '-n', '3000', '-p', '30')))[0];
  const { order } = decoded.linearizations[0];
  const points = new Points(decoded, decoded.linearizations[0]);
  let before = -1;
  for (const row of order) {
    assert.ok(points.rank[row] > decoded.callRank[row] && points.rank[row] < decoded.responseRank[row]);
    assert.ok(points.rank[row] > before);
    before = points.rank[row];
  }
});

test('what two states have in common is whole words', () => {
  assert.deepEqual(common('[1, 23]', '[1, 24]'), [4, 1]);
  assert.deepEqual(common('[]', '[red]'), [1, 1]);
  assert.deepEqual(common('{a: 1}', '{a: 1}'), [6, 0]);
  assert.deepEqual(common('12', '2'), [0, 0]);
});
