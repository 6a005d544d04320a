// The page: finds the histories in the document, shows one of them, and keeps its parts in step.
import { unpack } from './bytes.ts';
import { byId, make } from './dom.ts';
import { drawFilters } from './filters.ts';
import type { History, ObjectFacts, Verdict } from './history.ts';
import { findingText, Interleaving } from './interleaving.ts';
import { kKeys, onKey } from './keys.ts';
import { Overview } from './overview.ts';
import { readPalette, type Palette } from './palette.ts';
import { Panel } from './panel.ts';
import { decode } from './payload.ts';
import { Proof, spoken } from './proof.ts';
import { Scene } from './scene.ts';
import { caveats, sentence } from './sentence.ts';
import { grouped } from './text.ts';
import { Timeline } from './timeline.ts';
import type { Grouping } from './rows.ts';
import type { Scale } from './axis.ts';

interface Entry {
  label: string;
  verdict: Verdict;
  operations: number;
  finding?: string; // of an exploration
}

const kSigns: Record<Verdict, string> = { linearizable: '✓', violation: '✕', unknown: '?' };
const kRowsBy: Record<Grouping, string> = {
  process: 'processes', object: 'objects', key: 'keys', method: 'methods', compact: 'as few as possible',
};

export class App {
  scene: Scene | null = null;
  chosen: number | null = null;
  turn = 0; // the step of the interleaving that is looked at; 0: before the first
  private match = -1;
  private index = 0; // of the history that is shown
  private palette: Palette = readPalette();
  private readonly entries: Entry[] = JSON.parse(byId('index').textContent ?? '[]');
  readonly timeline = new Timeline(byId('timeline'), {
    hover: (row, text, x, y) => this.hover(row, text, x, y),
    choose: (row) => this.choose(row, false),
    moved: () => this.drawOverview(),
  });
  private readonly overview = new Overview(byId<HTMLCanvasElement>('overview'), (share) => this.timeline.centre(share));
  private readonly proof = new Proof(byId('proof'), {
    choose: (row) => this.choose(row, true),
    hover: (row, x, y) => {
      this.timeline.hover(row);
      this.hover(row, '', x, y);
    },
  });
  private readonly interleaving = new Interleaving(byId('turns'), { step: (step) => this.setTurn(step) });
  private readonly panel = new Panel(byId('panel'), {
    choose: (row) => this.choose(row, true),
    order: (order) => this.setOrder(order),
    step: (step) => this.setStep(step),
  });

  constructor() {
    this.listen();
    const pick = byId<HTMLSelectElement>('pick');
    const folder = commonFolder(this.entries.map(({ label }) => label));
    this.entries.forEach(({ label, verdict }, i) => {
      pick.append(make('option', { value: String(i) }, `${kSigns[verdict]} ${label.slice(folder)}`));
    });
    pick.parentElement!.hidden = this.entries.length < 2;
    const worst = ['violation', 'unknown', 'linearizable'].map((verdict) => this.entries.findIndex((entry) => entry.verdict === verdict));
    const first = worst.find((index) => index >= 0);
    if (first === undefined) {
      byId('sentence').textContent = 'This report has no histories: none could be read.';
      document.documentElement.dataset.ready = 'true';
    } else {
      void this.openLinked(first);
      window.addEventListener('hashchange', () => void this.openLinked(this.index));
    }
  }

  /** What the address asks for, "#history=2&operation=17", each where it is given; else the history `other`. */
  private async openLinked(other: number): Promise<void> {
    const asked = new URLSearchParams(location.hash.slice(1));
    const number = (name: string) => (/^\d+$/.test(asked.get(name) ?? '') ? Number(asked.get(name)) : undefined);
    const history = number('history') ?? other;
    const index = history < this.entries.length ? history : other;
    if (this.scene === null || index !== this.index) await this.open(index);
    const operation = number('operation');
    const row = operation === undefined ? undefined : this.scene!.history.rowOf(operation);
    if (row !== undefined && row !== this.chosen) this.choose(row, true);
  }
  /** Makes the address lead back to what is looked at. */
  private link(): void {
    const parts = [];
    if (this.entries.length > 1) parts.push(`history=${this.index}`);
    if (this.chosen !== null && this.scene !== null) parts.push(`operation=${this.scene.history.numberOf(this.chosen)}`);
    history.replaceState(null, '', parts.length === 0 ? location.pathname + location.search : `#${parts.join('&')}`);
  }

  /** Shows the history of that number. */
  async open(index: number): Promise<void> {
    this.index = index;
    byId<HTMLSelectElement>('pick').value = String(index);
    const { label, operations, finding } = this.entries[index];
    const verdict = finding === undefined ? this.entries[index].verdict : 'violation';
    document.documentElement.dataset.ready = 'false';
    document.title = `${kSigns[verdict]} ${label} – Linchpin`;
    byId('label').textContent = this.entries.length > 1 ? '' : label;
    byId('verdict').textContent = finding === undefined ? verdict : findingText(finding);
    byId('verdict').className = `verdict ${verdict}`;
    byId('facts').textContent = `${grouped(operations)} operations`;
    byId('sentence').className = 'unpacking';
    byId('sentence').textContent = 'Unpacking…';
    try {
      this.show(decode(await unpack(byId(`history-${index}`).textContent ?? '')));
    } catch (error) {
      byId('sentence').textContent = typeof DecompressionStream === 'undefined'
        ? 'This browser cannot unpack the report: it takes one of 2023 or later.'
        : `The report is damaged: ${String(error)}`;
      return;
    }
    requestAnimationFrame(() => requestAnimationFrame(() => {
      document.documentElement.dataset.ready = 'true';
    }));
  }

  private show(history: History): void {
    this.scene = new Scene(history);
    this.chosen = null;
    this.match = -1;
    byId<HTMLInputElement>('query').value = '';
    this.chooseOrder(this.scene.object);
    this.drawChooser();
    this.drawTools();
    this.drawWhy();
    this.drawPanel();
    this.drawMatches();
    this.interleaving.show(this.scene);
    this.timeline.show(this.scene);
    this.timeline.showAll();
    const turns = history.facts.interleaving;
    if (turns === undefined) this.showCore();
    this.setTurn(turns?.steps.length ?? 0);
  }

  private chooseOrder(object: ObjectFacts): void {
    const { scene } = this;
    if (scene === null) return;
    scene.setOrder(object.attempts?.[0]?.order ?? object.order);
  }

  choose(row: number | null, look: boolean): void {
    this.chosen = row;
    this.timeline.choose(row);
    this.link();
    if (row !== null && look) this.timeline.reveal(row);
    this.drawWhy();
    this.drawPanel();
    this.drawTurn();
    if (row !== null && this.scene !== null) byId('said').textContent = spoken(this.scene.history, row, row === this.scene.object.blocked);
  }
  setOrder(order: number): void {
    this.scene?.setOrder(order);
    this.drawWhy();
    this.drawPanel();
    this.drawTurn();
    this.timeline.redraw();
  }
  setStep(step: number): void {
    const { scene } = this;
    if (scene === null || scene.points === null) return;
    const { order } = scene.points.linearization;
    scene.step = Math.min(Math.max(step, 0), order.length);
    this.drawWhy();
    this.drawPanel();
    if (scene.step > 0) this.timeline.reveal(order[scene.step - 1]);
    this.timeline.redraw();
  }
  /** Looks at a step of the interleaving. */
  setTurn(step: number): void {
    const turns = this.scene?.history.facts.interleaving;
    if (turns === undefined || turns.steps.length === 0) return this.timeline.setCursor(null);
    this.turn = Math.min(Math.max(step, 0), turns.steps.length);
    const row = this.turn === 0 ? undefined : turns.steps[this.turn - 1].row;
    if (row !== undefined && row !== this.chosen) this.choose(row, false);
    this.drawTurn();
  }
  private drawTurn(): void {
    const { scene } = this;
    if (scene?.history.facts.interleaving === undefined) return;
    this.timeline.setCursor(this.turn - Number(scene.history.facts.base));
    this.interleaving.mark(scene, this.turn, this.chosen);
  }
  setScale(scale: Scale): void {
    this.change((scene) => (scene.scale = scale));
  }
  showCore(): void {
    const { scene } = this;
    if (scene === null) return;
    if (scene.core.length > 0) this.timeline.showOperations(scene.core);
    else if (scene.object.blocked !== undefined) this.timeline.showOperation(scene.object.blocked);
  }
  clear(): void {
    byId<HTMLInputElement>('query').value = '';
    this.search();
    this.choose(null, false);
    this.setFilters(false);
  }

  /** Lays the scene out again after a change, with the same part of the history in view. */
  private change(change: (scene: Scene) => void): void {
    const { scene } = this;
    if (scene === null) return;
    const ranks = this.timeline.ranks();
    change(scene);
    scene.layOut();
    this.timeline.show(scene, ranks);
    this.drawTools();
    this.drawMatches();
  }

  search(): void {
    const { scene } = this;
    if (scene === null) return;
    const only = scene.onlyMatches;
    scene.setQuery(byId<HTMLInputElement>('query').value);
    this.match = -1;
    if (only) this.change(() => undefined);
    scene.sumUp();
    this.timeline.redraw();
    this.drawMatches();
  }
  /** Goes to the next match, or the one before. */
  goToMatch(direction: 1 | -1): void {
    const marked = this.scene?.marked;
    if (!marked || this.scene!.matches === 0) return;
    const from = this.match >= 0 ? this.match : direction > 0 ? -1 : marked.length;
    let row = direction > 0 ? marked.indexOf(1, from + 1) : from === 0 ? -1 : marked.lastIndexOf(1, from - 1);
    if (row < 0) row = direction > 0 ? marked.indexOf(1) : marked.lastIndexOf(1);
    this.match = row;
    this.choose(row, true);
    this.drawMatches();
  }
  /** From the chosen operation to another: along its lane, or to the lane above or below. */
  walk(along: number, across: number): void {
    const { scene, chosen } = this;
    if (scene === null) return;
    if (chosen === null || scene.lanes.laneOf[chosen] < 0) {
      const row = scene.core[0] ?? scene.lanes.rows[0];
      if (row !== undefined) this.choose(row, true);
      return;
    }
    const { begin, rows } = scene.lanes;
    let lane = scene.lanes.laneOf[chosen];
    if (across !== 0) {
      do lane += across;
      while (lane >= 0 && lane + 1 < begin.length && begin[lane] === begin[lane + 1]);
      if (lane < 0 || lane + 1 >= begin.length) return;
      const [at] = scene.lanes.visible(scene.axis, lane, scene.axis.start[chosen], Infinity);
      this.choose(rows[Math.min(at, begin[lane + 1] - 1)], true);
      return;
    }
    const at = rows.subarray(begin[lane], begin[lane + 1]).indexOf(chosen) + along + begin[lane];
    if (at >= begin[lane] && at < begin[lane + 1]) this.choose(rows[at], true);
  }

  private hover(row: number | null, text: string, x: number, y: number): void {
    const tip = byId('tip');
    tip.hidden = row === null && text === '';
    if (tip.hidden || this.scene === null) return;
    if (row !== null) {
      const { history, points, step } = this.scene;
      tip.replaceChildren(make('b', {}, history.describe(row)));
      const process = history.processName(row);
      const until = history.pending(row) ? 'never returned' : `to ${history.tickText(history.response[row])}`;
      tip.append(make('span', {}, `${process === '' ? '' : `process ${process}, `}${history.tickText(history.call[row])} ${until}`));
      if (history.keyText(row) !== '') tip.append(make('span', {}, `key ${history.keyText(row)}`));
      for (const [name, text] of history.fieldTexts(row)) {
        tip.append(make('span', {}, `${name} ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`));
      }
      const own = points?.step[row] ?? -1;
      if (own >= 0 && own < step) {
        tip.append(make('span', {}, `took effect as number ${grouped(own + 1)}`));
        const before = points!.linearization.state(own);
        const after = points!.linearization.state(own + 1);
        if (before !== undefined && after !== undefined && before.length + after.length < 120) {
          tip.append(make('code', {}, `${before}  →  ${after}`));
        }
      }
    } else {
      tip.replaceChildren(...text.split('\n').map((line) => make('span', {}, line)));
    }
    const { offsetWidth, offsetHeight } = tip;
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - offsetWidth - 8))}px`;
    tip.style.top = `${y + 18 + offsetHeight > innerHeight ? y - offsetHeight - 12 : y + 18}px`;
  }

  private drawChooser(): void {
    const host = byId('chooser');
    const scene = this.scene!;
    const { objects } = scene.history.facts;
    host.hidden = objects.length < 2;
    if (host.hidden) return host.replaceChildren();
    const rank = (object: ObjectFacts) => ['violation', 'unknown', 'linearizable'].indexOf(object.verdict);
    const sorted = [...objects].sort((a, b) => rank(a) - rank(b));
    const select = make('select', { 'aria-label': 'Object', id: 'object' });
    sorted.forEach((object) => select.append(make('option', { value: String(objects.indexOf(object)) }, `${kSigns[object.verdict]} ${object.name} (${object.type})`)));
    select.value = String(objects.indexOf(scene.object));
    select.addEventListener('change', () => {
      scene.object = objects[Number(select.value)];
      this.chosen = null;
      this.chooseOrder(scene.object);
      this.change(() => undefined);
      this.drawWhy();
      this.drawPanel();
      this.showCore();
    });
    host.replaceChildren(make('label', {}, 'Object ', select));
  }

  private drawWhy(): void {
    const scene = this.scene!;
    const { verdict } = scene.object;
    // What was found is told first; a history beside it that is linearizable is no comfort.
    const turns = scene.history.facts.interleaving;
    const told = turns !== undefined && verdict !== 'violation' ? turns.message.join('\n') : undefined;
    byId('sentence').replaceChildren(...(told === undefined ? sentence(scene.history, scene.object, (row) => this.choose(row, true)) : [told]));
    byId('sentence').className = told === undefined ? verdict : 'violation';
    byId('caveats').textContent = caveats(scene.history, verdict);
    const focused = (document.activeElement as HTMLElement | null)?.dataset.row;
    const inside = byId('proof').contains(document.activeElement);
    this.proof.draw(scene, this.chosen);
    if (inside && focused !== undefined) byId('proof').querySelector<SVGElement>(`[data-row="${focused}"]`)?.focus();
  }
  private drawPanel(): void {
    this.panel.draw(this.scene!, this.chosen);
  }
  private drawOverview(): void {
    const { scene } = this;
    if (scene === null) return;
    const canvas = byId<HTMLCanvasElement>('overview');
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    this.overview.left = this.timeline.gutter;
    const [from, to] = this.timeline.domain();
    this.overview.draw(scene, this.palette, from, to, ratio);
  }
  private drawMatches(): void {
    const scene = this.scene!;
    const asked = scene.marked !== null;
    byId('found').textContent = asked ? `${grouped(scene.matches)} found` : '';
    for (const id of ['previous', 'next', 'only']) byId(id).hidden = !asked;
    byId('only').setAttribute('aria-pressed', String(scene.onlyMatches));
  }
  private drawTools(): void {
    const scene = this.scene!;
    for (const button of document.querySelectorAll<HTMLElement>('[data-scale]')) {
      button.setAttribute('aria-pressed', String(button.dataset.scale === scene.scale));
    }
    const grouping = byId<HTMLSelectElement>('grouping');
    grouping.replaceChildren(...scene.groupings().map((each) => make('option', { value: each }, kRowsBy[each])));
    grouping.value = scene.grouping;
    byId('show-core').hidden = scene.core.length === 0;
    const hidden = [...scene.hidden.values()].some((ids) => ids.size > 0);
    byId('filter').classList.toggle('active', hidden);
    const { methods } = scene.history.facts;
    const ids = scene.hidden.get('method');
    const { methodRanks } = scene.history.facts;
    const listed = methods.map((name, i) => ({ name, i })).sort((a, b) => methodRanks[a.i] - methodRanks[b.i]);
    byId('legend').replaceChildren(...listed.slice(0, 12).map(({ name, i }) => {
      const button = make('button', { type: 'button', 'aria-pressed': String(!ids?.has(i)), title: `Show or hide ${name}` },
        make('i', { style: `background: var(--method-${scene.colourOf[i]})` }), name);
      button.addEventListener('click', () => this.toggleMethod(i));
      return button;
    }));
  }
  private toggleMethod(method: number): void {
    const { scene } = this;
    if (scene === null) return;
    const ids = scene.hidden.get('method') ?? new Set<number>();
    scene.hidden.set('method', ids);
    if (!ids.delete(method)) ids.add(method);
    this.change(() => undefined);
    if (!byId('filters').hidden) this.setFilters(true);
  }
  private setFilters(open: boolean): void {
    byId('filters').hidden = !open;
    byId('filter').setAttribute('aria-expanded', String(open));
    if (open && this.scene !== null) drawFilters(byId('filters'), this.scene, () => this.change(() => undefined));
  }
  toggleTheme(): void {
    const { dataset } = document.documentElement;
    const dark = dataset.theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset.theme === 'dark';
    dataset.theme = dark ? 'light' : 'dark';
    this.recolour();
  }
  toggleKeys(): void {
    const dialog = byId<HTMLDialogElement>('keys');
    if (dialog.open) return dialog.close();
    const list = make('dl');
    for (const [key, meaning] of kKeys) list.append(make('dt', {}, make('kbd', {}, key)), make('dd', {}, meaning));
    const close = make('button', { type: 'button' }, 'Close');
    close.addEventListener('click', () => dialog.close());
    dialog.replaceChildren(make('h2', {}, 'Keys'), list, close);
    dialog.showModal();
  }
  private recolour(): void {
    this.palette = readPalette();
    this.timeline.setPalette(this.palette);
  }

  private listen(): void {
    const click = (id: string, action: () => void) => byId(id).addEventListener('click', action);
    click('theme', () => this.toggleTheme());
    click('help', () => this.toggleKeys());
    click('show-core', () => this.showCore());
    click('show-all', () => this.timeline.showAll());
    click('zoom-in', () => this.timeline.magnify(2));
    click('zoom-out', () => this.timeline.magnify(0.5));
    click('previous', () => this.goToMatch(-1));
    click('only', () => this.change((scene) => {
      scene.onlyMatches = !scene.onlyMatches;
    }));
    click('filter', () => this.setFilters(Boolean(byId('filters').hidden)));
    for (const button of document.querySelectorAll<HTMLElement>('[data-scale]')) {
      button.addEventListener('click', () => this.setScale(button.dataset.scale as Scale));
    }
    byId('grouping').addEventListener('change', (event) => {
      const grouping = (event.target as HTMLSelectElement).value as Grouping;
      this.change((scene) => (scene.grouping = grouping));
    });
    byId('pick').addEventListener('change', (event) => {
      void this.open(Number((event.target as HTMLSelectElement).value)).then(() => this.link());
    });
    byId('query').addEventListener('input', () => this.search());
    byId('search').addEventListener('submit', (event) => {
      event.preventDefault();
      this.goToMatch(1);
    });
    document.addEventListener('keydown', (event) => onKey(event, this));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolour());
    let width = 0; // what the diagram was drawn for
    new ResizeObserver(([{ contentRect }]) => {
      if (this.scene !== null && contentRect.width !== width) this.drawWhy();
      width = contentRect.width;
    }).observe(byId('why'));
    this.timeline.setPalette(this.palette);
  }
}

/** How many characters of all labels are the folder that they lie in. */
function commonFolder(labels: readonly string[]): number {
  if (labels.length < 2) return 0;
  let length = labels[0].lastIndexOf('/') + 1;
  while (length > 0 && !labels.every((label) => label.startsWith(labels[0].slice(0, length)))) {
    length = labels[0].lastIndexOf('/', length - 2) + 1;
  }
  return length;
}

(window as unknown as { linchpin: App }).linchpin = new App();
