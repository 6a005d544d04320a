// A headless Chromium, and what tests ask of a page in it.
import assert from 'node:assert/strict';
import { chromium, type Browser, type Page } from 'playwright-core';

export const kChromium = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: kChromium,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
}

/** Opens a report; it must ask for nothing else and have nothing to complain about. */
export async function open(browser: Browser, report: string, options: { dark?: boolean; width?: number } = {}): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.dark ? 'dark' : 'light',
  });
  page.on('request', (request) => {
    if (!/^(data|about):/.test(request.url())) assert.equal(request.url().split('#')[0], `file://${report}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') assert.fail(message.text());
  });
  page.on('pageerror', (error) => assert.fail(error));
  await page.goto(`file://${report}`);
  await ready(page);
  return page;
}

export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
  await drawn(page);
}

/** After whatever was asked for has been drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** How many pixels of the timeline are (nearly) of a colour: a style sheet's variable, or #rrggbb. */
export async function pixels(page: Page, colour: string, part = { x: 0, y: 0, width: 1, height: 1 }): Promise<number> {
  await drawn(page);
  return page.evaluate(({ colour, part }) => {
    const canvas = document.querySelector<HTMLCanvasElement>('#timeline canvas.base')!;
    const hex = colour.startsWith('--') ? getComputedStyle(document.documentElement).getPropertyValue(colour).trim() : colour;
    const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(
      Math.floor(part.x * width), Math.floor(part.y * height), Math.ceil(part.width * width), Math.ceil(part.height * height));
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (wanted.every((value, k) => Math.abs(data[i + k] - value) <= 6)) ++count;
    }
    return count;
  }, { colour, part });
}

/** Where an operation lies on the screen, in the middle of what is seen of it. */
export async function placeOf(page: Page, row: number): Promise<{ x: number; y: number; width: number }> {
  await drawn(page);
  return page.evaluate((row) => {
    const { timeline, scene } = (window as never as { linchpin: any }).linchpin;
    const [from, to] = timeline.domain();
    const view = timeline.view();
    const box = document.querySelector('#timeline')!.getBoundingClientRect();
    const x = (place: number) => view.left + ((Math.min(Math.max(place, from), to) - from) / (to - from)) * view.width;
    const [start, end] = [x(scene.axis.start[row]), x(scene.axis.end[row])];
    const y = view.top + (scene.lanes.laneOf[row] + 0.5) * view.laneHeight - view.scroll;
    return { x: box.left + (start + end) / 2, y: box.top + y, width: end - start };
  }, row);
}

export function domain(page: Page): Promise<[number, number]> {
  return page.evaluate(() => (window as never as { linchpin: any }).linchpin.timeline.domain());
}
