// The column on the right: the operations of the core, the orders that were tried or found, and the chosen operation.
import { make } from './dom.ts';
import type { Attempt, Facts, History, LeftOut } from './history.ts';
import { nativeText } from './native.ts';
import type { Scene } from './scene.ts';
import { grouped } from './text.ts';

export interface PanelEvents {
  choose(row: number): void;
  order(order: number): void;
  step(step: number): void;
}

const kMostListed = 200;
const kMostSaved = 5000;

export class Panel {
  constructor(private readonly host: HTMLElement, private readonly events: PanelEvents) {}

  draw(scene: Scene, chosen: number | null): void {
    const focus = (document.activeElement as HTMLElement | null)?.dataset.keep;
    const parts: HTMLElement[] = [];
    if (chosen !== null) parts.push(this.operation(scene, chosen));
    parts.push(...this.orders(scene));
    if (scene.core.length > 0) parts.push(this.core(scene, chosen));
    parts.push(this.facts(scene));
    this.host.replaceChildren(...parts);
    if (focus !== undefined) this.host.querySelector<HTMLElement>(`[data-keep="${focus}"]`)?.focus();
  }

  private operation(scene: Scene, row: number): HTMLElement {
    const { history, points } = scene;
    const part = section('Operation', 'operation');
    part.append(make('p', { class: 'mono strong' }, history.describe(row)));
    const list = make('dl');
    const add = (name: string, ...value: (Node | string)[]) => {
      list.append(make('dt', {}, name), make('dd', {}, ...value));
    };
    if (history.processName(row) !== '') add('process', history.processName(row));
    if (history.facts.objects.length > 1) add('object', history.objectOf(row).name);
    if (history.keyText(row) !== '') add('key', history.keyText(row));
    add('called', history.tickText(history.call[row]));
    if (history.pending(row)) add('returned', make('em', {}, 'never: it may have taken effect, or not'));
    else add('returned', `${history.tickText(history.response[row])} (after ${grouped(history.response[row] - history.call[row])})`);
    for (const [name, text] of history.fieldTexts(row)) add(name, text);
    add('number', `${grouped(history.numberOf(row))}${history.line === null || history.line[row] === 0 ? '' : `, line ${history.line[row]}`}`);
    if (scene.coreRows.has(row)) {
      add('core', row === scene.object.blocked ? 'part of it; no order is left when this one returns' : 'part of it');
    }
    if (scene.contextRows.has(row)) add('core', 'its context: it shows why');
    part.append(list);
    if (points !== null) part.append(this.effect(scene, row));
    return part;
  }

  /** When an operation took effect, and what it changed. */
  private effect(scene: Scene, row: number): HTMLElement {
    const { history, points } = scene;
    const { linearization, step, rank } = points!;
    const box = make('div', { class: 'effect' });
    if (step[row] < 0) {
      const omitted = history.objectOf(row).omitted?.includes(row) ?? false;
      box.append(make('p', {}, omitted ? 'It took no effect.' : 'It has no place in the order shown.'));
      return box;
    }
    const before = Math.floor(rank[row]);
    const event = history.eventOperation[before];
    const after = event >> 1 === row ? 'its call' : `${event % 2 === 0 ? 'the call' : 'the return'} of ${history.describe(event >> 1)}`;
    box.append(make('p', {}, `Took effect as ${ordinal(step[row] + 1)} of ${grouped(linearization.order.length)}, `,
      `right after ${after} at ${history.tickText(history.eventTime[before])}.`));
    box.append(...states(linearization.state(step[row]), linearization.state(step[row] + 1)));
    return box;
  }

  private orders(scene: Scene): HTMLElement[] {
    const { object, history, points } = scene;
    const attempts = object.attempts ?? [];
    if (attempts.length === 0 && object.order === undefined) return [];
    const part = section(attempts.length > 0 ? 'Orders tried' : 'Order found', 'orders');
    const current = points === null ? -1 : history.linearizations.indexOf(points.linearization);
    if (attempts.length > 0) {
      const blocked = object.blocked === undefined ? 'the last operation' : history.describe(object.blocked);
      part.append(make('p', { class: 'quiet' },
        attempts.length === 1 ? 'The only way to begin, and why ' : `The ${grouped(object.attemptsInAll ?? attempts.length)} states that could be reached, and why `,
        make('span', { class: 'mono' }, blocked), ' fits none:'));
      const list = make('ol', { class: 'attempts' });
      attempts.forEach((attempt, i) => {
        const button = make('button', { type: 'button', 'aria-pressed': String(attempt.order === current), 'data-keep': `attempt-${i}` },
          make('code', {}, attempt.state === '' ? 'no state' : clipped(attempt.state, 90)),
          make('span', {}, ...refusal(history, attempt)));
        button.addEventListener('click', () => this.events.order(attempt.order));
        list.append(make('li', {}, button));
      });
      part.append(list);
      if ((object.attemptsInAll ?? 0) > attempts.length) {
        part.append(make('p', { class: 'quiet' }, `and ${grouped(object.attemptsInAll! - attempts.length)} more`));
      }
    } else {
      const all = object.order === undefined ? 0 : history.linearizations[object.order].order.length;
      part.append(make('p', { class: 'quiet' }, object.verdict === 'linearizable'
        ? `Each of ${grouped(all)} operations took effect at its diamond, in an order that the type allows.`
        : `${grouped(all)} of ${grouped(object.operations)} operations can be put in order.`));
      if (object.verdict !== 'linearizable' && object.blocked !== undefined) {
        const { blocked } = object;
        const operation = make('button', { type: 'button', class: 'mono link' }, history.describe(blocked));
        operation.addEventListener('click', () => this.events.choose(blocked));
        part.append(make('p', {}, object.verdict === 'violation' ? 'Cannot be placed: ' : 'Stopped at ', operation));
      }
    }
    if (points !== null) part.append(this.stepper(scene));
    return [part];
  }

  private stepper(scene: Scene): HTMLElement {
    const { history, object, points, step } = scene;
    const { linearization } = points!;
    const { order } = linearization;
    const attempt = object.attempts?.find(({ order: index }) => history.linearizations[index] === linearization);
    const box = make('div', { class: 'stepper' });
    const button = (text: string, title: string, keep: string, to: number) => {
      const element = make('button', { type: 'button', title, 'aria-label': title, 'data-keep': keep }, text);
      element.disabled = to < 0 || to > order.length || to === step;
      element.addEventListener('click', () => this.events.step(to));
      return element;
    };
    const slider = make('input', { type: 'range', min: '0', max: String(order.length), value: String(step), 'aria-label': 'Step', 'data-keep': 'slider' });
    slider.addEventListener('input', () => this.events.step(Number(slider.value)));
    box.append(make('div', { class: 'buttons' },
      button('«', 'First step (Home)', 'first', 0), button('‹', 'Step back ([)', 'back', step - 1),
      make('output', { id: 'step' }, `${grouped(step)} / ${grouped(order.length)}`),
      button('›', 'Next step (])', 'forward', step + 1), button('»', 'Last step (End)', 'last', order.length)), slider);
    if (step > 0) {
      const row = order[step - 1];
      const operation = make('button', { type: 'button', class: 'mono link' }, history.describe(row));
      operation.addEventListener('click', () => this.events.choose(row));
      const who = history.processName(row);
      box.append(make('p', {}, operation, who === '' ? '' : ` of process ${who}`));
      box.append(...states(linearization.state(step - 1), linearization.state(step)));
    } else {
      box.append(make('p', { class: 'quiet' }, 'Nothing has taken effect yet.'));
      box.append(...states(undefined, linearization.state(0)));
    }
    if (attempt !== undefined && step === order.length && object.blocked !== undefined) {
      const who = make('span', { class: 'mono' }, history.describe(object.blocked));
      box.append(make('p', { class: 'refusal' }, make('span', { 'aria-hidden': 'true' }, '✕ '),
        ...(attempt.thenBlocked === undefined ? [who, ' '] : ['if ', who, ' took effect here, ']), ...refusal(history, attempt)));
    }
    return box;
  }

  private core(scene: Scene, chosen: number | null): HTMLElement {
    const { history, object, core } = scene;
    const part = section(core.length === 1 ? 'Not linearizable on its own' : 'Not linearizable on their own', 'core');
    part.append(make('p', { class: 'quiet' },
      `${grouped(core.length)} of ${grouped(object.operations)} operations${object.minimal && core.length > 1 ? ', and as few as can be' : ''}`));
    if (object.start !== undefined) {
      part.append(make('p', { class: 'quiet' }, `from the state `, make('code', {}, object.start.state),
        ` on, to which everything before ${object.start.tick} leads`));
    }
    part.append(this.operations(scene, core, chosen));
    if (core.length > kMostListed) part.append(make('p', { class: 'quiet' }, `and ${grouped(core.length - kMostListed)} more`));
    if (object.context !== undefined) {
      part.append(make('p', { class: 'quiet' }, 'Its context: whichever of these take effect, in whatever order, it has no place among them'));
      part.append(this.operations(scene, object.context, chosen));
    }
    const text = core.length > kMostSaved ? undefined : nativeText(history, object, core);
    if (text !== undefined) {
      part.append(make('p', {}, make('a', { id: 'save', download: 'core.txt', href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}` },
        core.length === 1 ? 'Save it as a history' : 'Save them as a history'), make('span', { class: 'quiet' }, ' for linchpin check')));
    }
    return part;
  }

  /** Operations to choose from. */
  private operations(scene: Scene, rows: readonly number[], chosen: number | null): HTMLElement {
    const { history, object } = scene;
    const list = make('ol', { class: 'operations' });
    for (const row of rows.slice(0, kMostListed)) {
      const button = make('button', { type: 'button', 'data-keep': `core-${row}`, 'data-row': String(row), 'aria-pressed': String(row === chosen) },
        make('i', { style: `background: var(--method-${scene.colourOf[history.method[row]]})` }),
        make('span', { class: 'mono' }, clipped(history.describe(row), 60)),
        make('small', {}, [history.processName(row), ...history.fieldTexts(row).map(([name, text]) => clipped(`${name} ${text}`, 60)), `${history.tickText(history.call[row])}–${history.pending(row) ? '' : history.tickText(history.response[row])}`]
          .filter((text) => text !== '').join(' · ')));
      if (row === object.blocked) button.append(make('b', { title: 'No order is left when it returns' }, '✕'));
      button.addEventListener('click', () => this.events.choose(row));
      list.append(make('li', {}, button));
    }
    return list;
  }

  private facts(scene: Scene): HTMLElement {
    const { history, object } = scene;
    const part = section('Decided', 'decided');
    const list = make('dl');
    const add = (name: string, value: string) => {
      if (value !== '') list.append(make('dt', {}, name), make('dd', {}, value));
    };
    add('input', history.facts.label);
    if (history.facts.objects.length > 1) add('object', object.name);
    add('type', object.type);
    add('operations', grouped(object.operations) + (object.pending > 0 ? `, ${grouped(object.pending)} pending` : ''));
    add('by', object.decider);
    add('because', object.why);
    add('seconds', history.facts.seconds.toFixed(3));
    if (object.verdict === 'unknown') add('ended by', object.reason);
    part.append(list);
    if (history.facts.leftOut !== undefined) part.append(leftOut(history.facts, history.facts.leftOut));
    if (object.refusedOrder !== undefined) {
      part.append(make('p', { class: 'refused' }, `The order asked for is refused: ${object.refusedOrder.sentence}`));
      for (const row of object.refusedOrder.operations) {
        const button = make('button', { type: 'button', class: 'mono link' }, history.describe(row));
        button.addEventListener('click', () => this.events.choose(row));
        part.append(make('p', {}, button));
      }
    }
    return part;
  }
}

/** That this is not all, and how much there is of everything. */
function leftOut(facts: Facts, all: LeftOut): HTMLElement {
  const box = make('div', { class: 'left-out' });
  const near = 'what the verdict speaks of, and what is nearest to it in time';
  if (all.operations > facts.operations) {
    box.append(make('p', {}, `${grouped(facts.operations)} of ${grouped(all.operations)} operations are shown: ${near}. In all:`));
    const table = make('table');
    table.append(make('tr', {}, ...['method', 'operations', 'pending', 'shown'].map((title) => make('th', {}, title))));
    for (const { name, operations, pending, shown } of all.methods) {
      table.append(make('tr', {}, ...[name, grouped(operations), grouped(pending), grouped(shown)].map((text) => make('td', {}, text))));
    }
    box.append(table);
  }
  if (all.annotations > all.shownAnnotations) {
    box.append(make('p', {}, `${grouped(all.shownAnnotations)} of ${grouped(all.annotations)} annotations are shown.`));
  }
  return box;
}

function section(title: string, name: string): HTMLElement {
  return make('section', { class: name, 'aria-label': title }, make('h2', {}, title));
}

/** The states before and after a step, with what changed set off from what did not. */
export function states(before: string | undefined, after: string | undefined, alone = 'initially'): HTMLElement[] {
  if (before === undefined && after === undefined) return [];
  const [head, tail] = common(before ?? '', after ?? '');
  const state = (name: string, text: string | undefined) => {
    const code = make('code');
    if (text === undefined) {
      code.append(make('em', {}, 'not worked out this far'));
    } else if (before === undefined || after === undefined) {
      code.append(clipped(text, 400));
    } else {
      const changed = text.slice(head, text.length - tail);
      code.append(ending(text.slice(0, head), 160), changed === '' ? '' : make('mark', {}, clipped(changed, 200)),
        clipped(text.slice(text.length - tail), 160));
    }
    return make('div', { class: 'state' }, make('span', {}, name), code);
  };
  return [...(before === undefined ? [] : [state('before', before)]), state(before === undefined ? alone : 'after', after)];
}

/** How much two texts have in common at their beginnings and ends, in whole words. */
export function common(a: string, b: string): [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) ++head;
  const word = /[\w"]/;
  while (head > 0 && word.test(a[head - 1] ?? '') && (word.test(a[head] ?? '') || word.test(b[head] ?? ''))) --head;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  while (tail > 0 && word.test(a[a.length - tail]) &&
    (word.test(a[a.length - tail - 1] ?? '') || word.test(b[b.length - tail - 1] ?? ''))) --tail;
  return [head, tail];
}

function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
function ending(text: string, length: number): string {
  return text.length <= length ? text : `…${text.slice(text.length - length)}`;
}
function ordinal(number: number): string {
  const last = number % 100 > 10 && number % 100 < 14 ? 0 : number % 10;
  return `${grouped(number)}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`;
}
function refusal(history: History, { refusal: text, thenBlocked }: Attempt): (Node | string)[] {
  const why = text === '' ? 'is not possible' : text;
  if (thenBlocked === undefined) return [why];
  return [make('span', { class: 'mono' }, history.describe(thenBlocked)), ` ${why}`];
}
