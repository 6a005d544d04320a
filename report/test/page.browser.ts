import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { domain, drawn, launch, open, pixels, placeOf, ready } from './browser.ts';
import { exploredReport, generate, kQueueViolation, reportOf, reportOn, scratch } from './report.ts';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function text(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();
}

test('a violation opens with its reason, its core and nothing else asked for', async () => {
  const page = await open(browser, reportOn('violation', kQueueViolation));
  assert.equal(await text(page, '#verdict'), 'violation');
  assert.equal(await text(page, '#sentence'),
    'dequeue() → blue came too early: red was ahead of blue in the queue (enqueue(red) had returned before enqueue(blue) was called) and had not left yet.');
  assert.equal(await page.locator('#proof .bar').count(), 3);
  assert.equal(await page.locator('#proof .bar.blocked').getAttribute('aria-label'),
    'dequeue() → blue, process consumer-a, called at 6, returned at 11, cannot be placed');
  // The core is in view, ringed; enqueue(green), called at 16, is not.
  assert.ok((await pixels(page, '--core')) > 400);
  const [from, to] = await domain(page);
  assert.ok(from <= 0.5 && to >= 11 && to < 15.5, `${from} to ${to}`);
  await page.close();
});

test('what the recording lost is told under the verdict', async () => {
  const lost = '# annotation 9 "missing: 12 operations of a thread that ended"\n';
  const page = await open(browser, reportOn('missing', `${kQueueViolation}${lost}`));
  assert.equal(await text(page, '#caveats'), 'missing: 12 operations of a thread that ended');
  await page.close();
  const assumed = await open(browser, reportOn('assumed', `${kQueueViolation}# annotation 9 "assumed: all is told"\n`));
  assert.equal(await text(assumed, '#caveats'), 'assumed: all is told');
  await assumed.close();
  const whole = await open(browser, reportOn('whole', kQueueViolation));
  assert.equal(await whole.locator('#caveats').isVisible(), false);
  await whole.close();
});

test('an operation that is clicked tells what is known of it', async () => {
  const page = await open(browser, reportOn('click', kQueueViolation));
  const { x, y } = await placeOf(page, 1);
  await page.mouse.move(x, y);
  assert.match(await text(page, '#tip'), /^enqueue\(blue\) process producer-b, 5 to 8/);
  await page.mouse.click(x, y);
  const operation = await text(page, '#panel .operation');
  assert.match(operation, /enqueue\(blue\) process producer-b called 5 returned 8 \(after 3\) number 1, line 4 core part of it/);
  assert.match(await page.locator('#said').innerText(), /enqueue\(blue\), process producer-b/);
  assert.equal(await page.locator('#proof .bar.chosen').getAttribute('data-row'), '1');
  // And the other way round.
  await page.locator('#proof .bar[data-row="2"]').click();
  assert.match(await text(page, '#panel .operation'), /dequeue\(\) → blue/);
  await page.locator('#sentence button', { hasText: 'enqueue(red)' }).click();
  assert.match(await text(page, '#panel .operation'), /enqueue\(red\)/);
  await page.close();
});

test('the orders that were tried can be stepped through', async () => {
  const page = await open(browser, reportOn('steps', kQueueViolation));
  const attempts = page.locator('.attempts button');
  assert.equal(await attempts.count(), 2);
  await attempts.filter({ hasText: '[red, blue]' }).click();
  assert.equal(await text(page, '#step'), '2 / 2');
  assert.match(await text(page, '.stepper'), /enqueue\(blue\) of process producer-b before \[red\] after \[red, blue\] ✕ dequeue\(\) → blue would return red/);
  assert.deepEqual(await page.locator('#proof .point').allTextContents(), ['1', '2']);
  await page.getByLabel('Step back').click();
  assert.match(await text(page, '.stepper'), /1 \/ 2 › » enqueue\(red\) of process producer-a before \[\] after \[red\]$/);
  await page.keyboard.press('[');
  assert.match(await text(page, '.stepper'), /0 \/ 2 › » Nothing has taken effect yet\. initially \[\]/);
  assert.equal(await page.locator('#proof .point').count(), 0);
  await page.keyboard.press('End');
  assert.equal(await text(page, '#step'), '2 / 2');
  await page.close();
});

test('a linearizable history shows where each operation took effect, and the states around it', async () => {
  const report = reportOn('linearizable', '# type: queue\na 1 4 enqueue 1\nb 2 6 enqueue 2\nc 3 9 dequeue -> 2\nd 7 10 dequeue -> 1\n');
  const page = await open(browser, report);
  assert.equal(await text(page, '#verdict'), 'linearizable');
  assert.equal(await page.locator('#proof').isVisible(), false);
  assert.ok((await pixels(page, '--dot')) > 30); // diamonds
  const { x, y } = await placeOf(page, 2);
  await page.mouse.click(x, y);
  const operation = await text(page, '#panel .operation');
  assert.match(operation, /Took effect as \d(st|nd|rd|th) of 4, right after .* before \[2(, 1)?\] after \[(1)?\]$/);
  await page.keyboard.press('Home');
  assert.ok((await pixels(page, '--dot')) < 30); // none has taken effect
  await page.close();
});

test('one zooms from the whole history down to one operation, and back', async () => {
  const page = await open(browser, reportOf('zoom', generate('zoom.txt', 'stack', '-n', '20000', '-p', '8', '--seed', '4')));
  const [from, to] = await domain(page);
  await page.mouse.move(700, 350);
  for (let i = 0; i < 12; ++i) await page.mouse.wheel(0, -400);
  await page.waitForFunction((most) => {
    const [from, to] = (window as any).linchpin.timeline.domain();
    return to - from < most;
  }, (to - from) / 100);
  await page.evaluate(() => (window as any).linchpin.choose(12345, true));
  await page.keyboard.press('Enter');
  const { width } = await placeOf(page, 12345);
  assert.ok(width > 150 && width < 700, `${width} pixels`);
  // Its lane is filled with a tint of its method's colour, framed by the colour.
  assert.ok((await page.evaluate(() => (window as any).linchpin.scene.lanes.lanes.length)) === 8);
  await page.keyboard.press('0');
  assert.deepEqual((await domain(page)).map(Math.round), [from, to].map(Math.round));
  await page.close();
});

test('many operations are drawn as strips in the colours of their methods', async () => {
  const page = await open(browser, reportOf('strips', generate('strips.txt', 'stack', '-n', '200000', '-p', '20', '--violation', 'late')));
  await page.keyboard.press('0');
  const blended = (name: string) => page.evaluate((name) => {
    const style = getComputedStyle(document.documentElement);
    const rgb = (name: string) => [1, 3, 5].map((at) => parseInt(style.getPropertyValue(name).trim().slice(at, at + 2), 16));
    const [a, b] = [rgb('--canvas'), rgb(name)];
    return `#${a.map((value, i) => Math.round(value + 0.75 * (b[i] - value)).toString(16).padStart(2, '0')).join('')}`;
  }, name);
  const [push, pop] = [await pixels(page, await blended('--method-0')), await pixels(page, await blended('--method-1'))];
  // As many pushes as pops, nearly, and clients that are busy two thirds of the time.
  assert.ok(push > 50_000 && pop > 50_000 && push / pop > 0.7 && push / pop < 1.4, `${push} and ${pop} pixels`);
  assert.ok((await pixels(page, '--core')) > 3); // the core is seen even so
  await page.close();
});

test('panning a large history keeps the pattern of its strips', async () => {
  const page = await open(browser, reportOf('pan', generate('pan.txt', 'queue', '-n', '100000', '-p', '10')));
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await drawn(page);
  const columns = () => page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('#timeline canvas.base')!;
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(200, Math.floor(height / 2), width - 400, 1);
    return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i] * 65536 + data[4 * i + 1] * 256 + data[4 * i + 2]);
  });
  const still = await columns();
  await page.mouse.move(700, 500);
  await page.mouse.down();
  await page.mouse.move(750, 500);
  await page.mouse.up();
  await drawn(page);
  const moved = await columns();
  const same = moved.slice(50).filter((colour, i) => colour === still[i]).length;
  assert.ok(same > 0.8 * (still.length - 50), `${same} of ${still.length - 50}`);
  await page.close();
});

test('search marks what it finds, goes through it, and can hide the rest', async () => {
  const page = await open(browser, reportOf('search', generate('search.txt', 'queue', '-n', '5000', '-p', '10', '--seed', '9')));
  assert.equal(await pixels(page, '--match'), 0);
  await page.keyboard.press('/');
  await page.keyboard.type('1234');
  assert.equal(await text(page, '#found'), '2 found');
  assert.ok((await pixels(page, '--match')) > 0);
  await page.keyboard.press('Enter');
  assert.match(await text(page, '#panel .operation'), /enqueue\(1234\)/);
  await page.keyboard.press('Enter');
  assert.match(await text(page, '#panel .operation'), /dequeue\(\) → 1234/);
  await page.locator('#only').click();
  assert.equal(await page.evaluate(() => (window as any).linchpin.scene.lanes.rows.length), 2);
  await page.keyboard.press('Escape');
  assert.equal(await text(page, '#found'), '');
  assert.equal(await page.evaluate(() => (window as any).linchpin.scene.lanes.rows.length), 5000);
  await page.close();
});

test('an operation that never returned is open at its end', async () => {
  const page = await open(browser, reportOn('pending', '# type: queue\na 1 4 enqueue 1\nb 2 - enqueue 2\n'));
  const place = await placeOf(page, 1);
  assert.ok(place.width > 500);
  // It fades: more ink at its beginning than at its end.
  const tint = (x: number) => page.evaluate(({ x, y }) => {
    const canvas = document.querySelector<HTMLCanvasElement>('#timeline canvas.base')!;
    const box = canvas.getBoundingClientRect();
    return canvas.getContext('2d')!.getImageData(x - box.left, y - box.top + 8, 1, 1).data[0];
  }, { x, y: place.y });
  assert.ok((await tint(place.x - place.width / 2 + 100)) + 15 < (await tint(place.x + place.width / 2 - 15)));
  await page.mouse.click(place.x, place.y);
  assert.match(await text(page, '#panel .operation'), /returned never: it may have taken effect, or not/);
  await page.close();
});

test('keys, objects and methods are lanes, and filters', async () => {
  const page = await open(browser, reportOf('keys', generate('keys.txt', 'map', '-n', '2000', '-p', '6', '--keys', '12', '--seed', '8')));
  const shown = () => page.evaluate(() => (window as any).linchpin.scene.lanes.rows.length);
  await page.locator('#grouping').selectOption('key');
  const names = await page.evaluate(() => (window as any).linchpin.scene.lanes.lanes.filter((lane: any) => lane.first).map((lane: any) => lane.name));
  assert.deepEqual(names, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']);
  await page.locator('#filter').click();
  await page.locator('#filters [data-grouping="key"]').getByLabel('only 7').click();
  const ofSeven = await shown();
  assert.ok(ofSeven > 50 && ofSeven < 400);
  await page.locator('#filters [data-grouping="key"]').getByText('all', { exact: true }).click();
  assert.equal(await shown(), 2000);
  await page.locator('#legend button', { hasText: 'get' }).click();
  assert.ok((await shown()) < 2000);
  await page.close();
});

test('objects are explained one by one', async () => {
  const page = await open(browser, reportOn('objects',
    '# type: queue\na 1 2 object=left enqueue 1\na 3 4 object=right enqueue 2\nb 5 6 object=right dequeue -> 2\nb 7 8 object=left dequeue -> nil\n'));
  assert.match(await text(page, '#sentence'), /1/);
  assert.equal(await page.locator('#proof .bar').count(), 2);
  await page.locator('#object').selectOption({ label: '✓ right (queue)' });
  assert.equal(await page.locator('#proof .bar').count(), 0);
  assert.match(await text(page, '#panel .orders'), /Each of 2 operations took effect/i);
  await page.close();
});

test('annotations have a lane of their own, in their colours', async () => {
  const report = reportOn('annotations', `# type: queue
# annotation 2 6 "the network splits" process=n1 colour="#0a8f3c"
# annotation 8 - "leader changes" colour="#aa00cc"
a 1 4 enqueue 1
b 5 9 dequeue -> 1
`);
  const page = await open(browser, report);
  assert.ok((await pixels(page, '#0a8f3c')) >= 30);
  assert.ok((await pixels(page, '#aa00cc')) >= 15);
  const box = (await page.locator('#timeline').boundingBox())!;
  const x = await page.evaluate(() => {
    const { timeline, scene } = (window as any).linchpin;
    const view = timeline.view();
    return view.left + ((scene.axis.ofTick(3) - view.from) / (view.to - view.from)) * view.width;
  });
  await page.mouse.move(box.x + x, box.y + 26 + 9);
  assert.equal(await text(page, '#tip'), 'n1: the network splits 2 to 6');
  await page.close();
});

test('the order of events has equal distances, and shows the same part', async () => {
  const page = await open(browser, reportOn('order', '# type: register\na 1 2 write 1\nb 1000001 1000002 read -> 1\nb 1000003 1000004 read -> 1\n'));
  assert.ok((await placeOf(page, 1)).width < 3);
  await page.keyboard.press('o');
  assert.ok((await placeOf(page, 1)).width > 100);
  assert.equal(await page.locator('[data-scale="order"]').getAttribute('aria-pressed'), 'true');
  await page.close();
});

test('dark and light follow the system, and the reader', async () => {
  const page = await open(browser, reportOn('dark', kQueueViolation), { dark: true });
  assert.ok((await pixels(page, '#1a1e23')) > 10_000);
  await page.keyboard.press('t');
  assert.equal(await pixels(page, '#1a1e23'), 0);
  assert.ok((await pixels(page, '#fdfcfa')) > 10_000);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('#theme').click();
  assert.ok((await pixels(page, '#1a1e23')) > 10_000);
  await page.close();
});

test('the keyboard goes from operation to operation', async () => {
  const page = await open(browser, reportOn('keyboard', kQueueViolation));
  const chosen = () => page.evaluate(() => (window as any).linchpin.chosen);
  await page.keyboard.press('ArrowRight');
  assert.equal(await chosen(), 0); // the first of the core
  await page.keyboard.press('ArrowRight');
  assert.equal(await chosen(), 4); // enqueue(green) of the same process
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  assert.equal(await chosen(), 1); // producer-b
  await page.keyboard.press('Escape');
  assert.equal(await chosen(), null);
  await page.keyboard.press('?');
  assert.match(await text(page, '#keys'), /the whole history/);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#keys').isVisible(), false);
  await page.close();
});

test('of several histories the first violation is shown, and any other can be', async () => {
  const page = await open(browser, reportOn('several', '# type: queue\na 1 2 enqueue 1\n', kQueueViolation));
  assert.equal(await text(page, '#verdict'), 'violation');
  assert.match(await text(page, '#facts'), /5 operations/);
  await page.locator('#pick').selectOption('0');
  await ready(page);
  assert.equal(await text(page, '#verdict'), 'linearizable');
  assert.match(await text(page, '#facts'), /^1 operation/);
  await page.close();
});

test('everything that can be operated has a name, and a narrow window shows it all', async () => {
  const page = await open(browser, reportOn('names', kQueueViolation), { width: 600 });
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, [role="button"], [role="application"]')]
    .filter((element) => {
      const label = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent ?? element.textContent;
      return (label ?? '').trim() === '';
    }).map((element) => element.outerHTML));
  assert.deepEqual(nameless, []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.close();
});

test('the core can be saved, and is a violation when checked again', async () => {
  for (const history of [kQueueViolation, '# type: map\n0 1 2 put "a b" [1 "x y"]\n0 5 6 get "a b" -> nil\n1 3 - put "a b" 7\n']) {
    const page = await open(browser, reportOn('save', history));
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
    assert.equal(download.suggestedFilename(), 'core.txt');
    const saved = await download.path();
    assert.match(readFileSync(reportOf('saved', '--type', /type: (\w+)/.exec(history)![1], saved), 'utf8'), /"verdict":"violation"/);
    await page.close();
  }
});

test('a core that starts late says from which state on, and is a violation when checked again', async () => {
  const increments = Array.from({ length: 40 }, (_, k) => `${k % 2} ${10 * k} ${10 * k + 15} increment\n`).join('');
  const page = await open(browser, reportOn('late-start', `# type: counter\n${increments}c 2000 2001 read -> 7\n`));
  assert.match(await text(page, '#panel .core'), /from the state 40 on, to which everything before 2000 leads/);
  assert.match(decodeURIComponent((await page.locator('#save').getAttribute('href'))!), /# type: counter initial=40\nc 2000 2001 read -> 7\n$/);
  await page.close();
});

test('what operations carry beside their results is shown, and why an order of the store is refused', async () => {
  const file = scratch('order.txt');
  writeFileSync(file, '# linchpin 1\n# type: register initial=0\na 1 2 @version=2 write 1\nb 3 4 @version=1 write 2\nc 5 6 read -> 2\n');
  const page = await open(browser, reportOf('order', file, '--order-by', 'version'));
  assert.match(await text(page, '#panel .refused'), /^The order asked for is refused: write\(1\) with version 2 had returned before/);
  await page.locator('#panel .decided button', { hasText: 'write(2)' }).click();
  assert.match(await text(page, '#panel .operation'), /returned 4 \(after 1\) version 1 number 1/);
  await page.locator('#panel .decided button', { hasText: 'write(1)' }).click();
  assert.match(await text(page, '#panel .operation'), /version 2 number 0/);
  await page.close();
});

test('the address leads back to the operation that was chosen', async () => {
  const report = reportOn('address', kQueueViolation, '# type: queue\n0 1 2 enqueue 1\n0 3 4 enqueue 2\n');
  const page = await open(browser, report);
  await page.locator('#pick').selectOption('1');
  await ready(page);
  await page.evaluate(() => (window as any).linchpin.choose(1, true));
  const address = page.url();
  assert.ok(address.endsWith('#history=1&operation=1'), address);
  await page.goto('about:blank');
  await page.goto(address);
  await ready(page);
  assert.match(await text(page, '#panel .operation'), /enqueue\(2\)/);
  await page.close();
});

test('an unknown verdict shows how far it got, and where it stopped', async () => {
  const file = generate('unknown.txt', 'stack', '-n', '4000', '-p', '12', '--values', '3');
  const page = await open(browser, reportOf('unknown', '--decider', 'search', '--time-limit', '1ms', file));
  assert.equal(await text(page, '#verdict'), 'unknown');
  assert.equal(await text(page, '#sentence'), 'It is not known whether the history is linearizable: the time limit was reached.');
  await page.close();
});

test('of a core that is too large for a diagram the end is shown', async () => {
  // Every read but the last one fits; nothing of it can be left out of the operations as they were found.
  const lines = Array.from({ length: 90 }, (_, i) => `a ${4 * i + 1} ${4 * i + 2} write ${i % 2}\nb ${4 * i + 3} ${4 * i + 4} read -> ${i % 2}`);
  const page = await open(browser, reportOn('large-core', `# type: register\n${lines.join('\n')}\na 501 502 read -> 0\n`));
  assert.ok((await page.locator('#proof .bar').count()) <= 60);
  assert.equal(await page.locator('#proof .bar.blocked').count(), 1);
  await page.close();
});

test('a step of a large core is scrolled to, and an operation that is chosen', async () => {
  const writes = Array.from({ length: 40 }, (_, i) => `p${i} ${10 * i + 1} ${10 * i + 12} write ${i % 3}`);
  const reads = Array.from({ length: 30 }, (_, i) => `q${i} ${10 * i + 5} ${10 * i + 30} read -> ${i % 3}`);
  const file = scratch('scroll-input.txt');
  writeFileSync(file, `# linchpin 1\n# type: register\n${[...writes, ...reads].join('\n')}\nz 500 501 read -> 9\n`);
  const report = reportOf('scroll', '--no-shrink', '--decider', 'search', file);
  const page = await open(browser, report, { width: 1000 });
  const inView = (selector: string) => page.evaluate((selector) => {
    const host = document.querySelector('#proof')!.getBoundingClientRect();
    const box = document.querySelector(selector)!.getBoundingClientRect();
    return box.top < host.bottom && box.bottom > host.top && box.left < host.right && box.right > host.left;
  }, selector);
  assert.ok(await inView('#proof .blocked .body'));
  const first = await page.locator('#proof .bar').first().getAttribute('data-row');
  assert.equal(await inView('#proof .bar .body'), false);
  await page.evaluate((row) => (window as any).linchpin.choose(row, true), Number(first));
  assert.ok(await inView('#proof .bar .body'));
  await page.close();
});

test('a report that was cut or damaged says so', async () => {
  const report = reportOn('damaged', kQueueViolation);
  writeFileSync(report, readFileSync(report, 'utf8').replace(/(id="history-0">.{20}).{60}/, '$1'));
  const page = await browser.newPage();
  await page.goto(`file://${report}`);
  await page.locator('#sentence', { hasText: 'The report is damaged' }).waitFor();
  await page.close();
});

test('a history without operations is a page as well', async () => {
  const page = await open(browser, reportOn('empty', '# type: queue\n'));
  assert.match(await text(page, '#facts'), /0 operations/);
  await page.close();
});

test('what an exploration found shows who ran when, step by step', async (context) => {
  const report = exploredReport('explored', 'planted-check-then-act');
  if (report === undefined) return context.skip('nothing explores in this build');
  const page = await open(browser, report);
  assert.equal(await text(page, '#verdict'), 'not linearizable');
  const steps = await page.locator('#turns tbody tr').count();
  assert.ok(steps > 4, `${steps} steps`);
  assert.equal(await text(page, '#turn'), `${steps} / ${steps}`);
  assert.match(await text(page, '#turns tbody tr.now'), /^\d+ .*planted\.hpp:\d+ .*return 1$/);
  // Back to the beginning, and on by keys, by clicks and by the slider.
  await page.keyboard.press('{');
  assert.equal(await text(page, '#turn'), `${steps - 1} / ${steps}`);
  await page.locator('#turns tbody tr[data-step="1"]').click();
  assert.equal(await text(page, '#turn'), `1 / ${steps}`);
  assert.match(await text(page, '#panel .operation'), /dequeue/);
  assert.equal(await page.locator('#turns tbody tr.later').count(), steps - 1);
  assert.match(await text(page, '#turns .state-now'), /state \[1\]/);
  await page.keyboard.press('}');
  assert.equal(await text(page, '#turn'), `2 / ${steps}`);
  // The steps of an operation are marked where it is chosen.
  await page.locator('#proof .bar').last().click();
  assert.ok((await page.locator('#turns tr.own').count()) > 0);
  assert.match(await text(page, '#turns .replay'), /--replay 'sc,none/);
  await page.close();
});

test('a race is told as one, whatever its history', async (context) => {
  const report = exploredReport('race', 'planted-missing-release');
  if (report === undefined) return context.skip('nothing explores in this build');
  const page = await open(browser, report);
  assert.equal(await text(page, '#verdict'), 'race');
  assert.match(await text(page, '#sentence'), /^data race: thread 2 reads at planted\.hpp/);
  assert.ok(!(await text(page, '#sentence')).includes('\\n'));
  await page.close();
  const plain = await open(browser, reportOn('plain', kQueueViolation));
  assert.equal(await plain.locator('#turns').isVisible(), false);
  await plain.close();
});
