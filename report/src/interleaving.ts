// How the threads took turns: a schedule that was explored, a column a thread, which is gone through step by step.
import { make } from './dom.ts';
import { states } from './panel.ts';
import type { Scene } from './scene.ts';

export interface TurnStep {
  thread: number; // from 0
  row?: number; // the operation that it belongs to
  what: string;
  value: string;
  where: string;
  function: string;
  note: string;
}

export interface Turns {
  finding: string;
  message: string[]; // lines
  scenario: string;
  token: string;
  steps: TurnStep[];
}

export interface InterleavingEvents {
  step(step: number): void;
}

/** What was found, as people say it. */
export function findingText(finding: string): string {
  return finding.replaceAll('_', ' ');
}

export class Interleaving {
  private rows: HTMLTableRowElement[] = [];
  private shown: Turns | undefined;
  private readonly output = make('output', { id: 'turn' });
  private readonly slider = make('input', { type: 'range', min: '0', 'aria-label': 'Step of the interleaving' });
  private readonly state = make('div', { class: 'state-now' });

  constructor(private readonly host: HTMLElement, private readonly events: InterleavingEvents) {
    this.slider.addEventListener('input', () => this.events.step(Number(this.slider.value)));
  }

  /** The table; steps are numbered from 1, and 0 is before the first. */
  show(scene: Scene): void {
    const turns = scene.history.facts.interleaving;
    this.shown = turns;
    this.host.hidden = turns === undefined;
    this.rows = [];
    if (turns === undefined) return this.host.replaceChildren();
    const { steps } = turns;
    const threads = Math.max(...steps.map(({ thread }) => thread), 0) + 1;
    const head = make('tr', {}, make('th', { scope: 'col' }, 'step'));
    for (let thread = 0; thread < threads; ++thread) head.append(make('th', { scope: 'col' }, `thread ${thread + 1}`));
    head.append(make('th', { scope: 'col' }, 'where'), make('th', { scope: 'col' }, ''));
    const body = make('tbody');
    steps.forEach((step, i) => {
      const row = make('tr', { 'data-step': String(i + 1) }, make('td', { class: 'number' }, String(i + 1)));
      if (i > 0 && steps[i - 1].thread !== step.thread) row.classList.add('switch');
      for (let thread = 0; thread < threads; ++thread) {
        row.append(thread !== step.thread ? make('td') : make('td', { class: 'access' }, step.what, ' ', make('b', {}, step.value)));
      }
      row.append(make('td', { class: 'where' }, [step.where, step.function].filter((text) => text !== '').join(' ')),
        make('td', { class: 'note' }, step.note));
      row.addEventListener('click', () => this.events.step(i + 1));
      this.rows.push(row);
      body.append(row);
    });
    this.slider.max = String(steps.length);
    const button = (text: string, title: string, to: () => number) => {
      const element = make('button', { type: 'button', title, 'aria-label': title }, text);
      element.addEventListener('click', () => this.events.step(to()));
      return element;
    };
    const now = () => Number(this.slider.value);
    const tools = make('div', { class: 'tools' }, make('h2', {}, 'Interleaving'),
      button('«', 'Before the first step of the interleaving', () => 0),
      button('‹', 'A step of the interleaving back ({)', () => now() - 1), this.output,
      button('›', 'A step of the interleaving on (})', () => now() + 1),
      button('»', 'The last step of the interleaving', () => steps.length), this.slider,
      make('span', { class: 'spring' }), make('span', { class: 'scenario mono', title: 'The scenario' }, turns.scenario));
    const table = make('div', { class: 'scroll', tabindex: '0', 'aria-label': 'Steps' },
      make('table', {}, make('thead', {}, head), body));
    const replay = turns.token === '' ? '' : make('p', { class: 'replay' }, 'Runs again with ', make('code', {}, `--replay '${turns.token}'`));
    this.host.replaceChildren(tools, table, this.state, replay);
  }

  /** Marks a step, and those of the operation that is chosen. */
  mark(scene: Scene, step: number, chosen: number | null): void {
    if (this.shown === undefined) return;
    const { steps } = this.shown;
    this.slider.value = String(step);
    this.output.textContent = `${step} / ${steps.length}`;
    this.rows.forEach((row, i) => {
      row.classList.toggle('now', i + 1 === step);
      row.classList.toggle('later', i + 1 > step);
      row.classList.toggle('own', chosen !== null && steps[i].row === chosen);
    });
    if (step > 0) this.rows[step - 1].setAttribute('aria-current', 'step');
    this.rows.forEach((row, i) => i + 1 !== step && row.removeAttribute('aria-current'));
    const scroll = this.host.querySelector<HTMLElement>('.scroll');
    const row = this.rows[Math.max(step - 1, 0)];
    if (scroll !== null && row !== undefined) {
      const above = row.offsetTop - scroll.scrollTop;
      if (above < 30 || above + row.offsetHeight > scroll.clientHeight) scroll.scrollTop = row.offsetTop - scroll.clientHeight / 2;
    }
    this.state.replaceChildren(...this.stateAt(scene, step));
  }

  /** The object as far as the order that is shown has come by that step. */
  private stateAt(scene: Scene, step: number): HTMLElement[] {
    const { history, points } = scene;
    if (points === null) return [];
    const { linearization } = points;
    const tick = step - Number(history.facts.base);
    let taken = 0;
    for (const row of linearization.order) {
      if (history.eventTime[Math.floor(points.rank[row])] > tick) break;
      ++taken;
    }
    const state = linearization.state(taken);
    if (state === undefined) return [];
    const rows = Array.from(linearization.order.subarray(0, taken));
    return [make('p', { class: 'quiet' }, rows.length === 0 ? 'No operation can have taken effect by then.'
      : `By then, in the order shown: ${rows.map((row) => history.describe(row)).join(', ')}`), ...states(undefined, state, 'state')];
  }
}
