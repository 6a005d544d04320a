// The keyboard.
import type { App } from './main.ts';
import { byId } from './dom.ts';

export const kKeys: [key: string, meaning: string][] = [
  ['← →', 'the operation before, the next one (with Shift: move the view)'],
  ['↑ ↓', 'the lane above, below'],
  ['+ −', 'zoom in, zoom out'],
  ['0', 'the whole history'],
  ['C', 'the core'],
  ['Enter', 'look closely at the chosen operation'],
  ['/', 'search'],
  ['N, Shift+N', 'the next match, the one before'],
  ['[ ]', 'a step back, a step on in the order shown'],
  ['{ }', 'a step back, a step on in the interleaving, where there is one'],
  ['Home, End', 'its first step, its last step'],
  ['O', 'time or order'],
  ['T', 'dark or light'],
  ['Esc', 'nothing chosen, nothing searched'],
  ['?', 'these keys'],
];

export function onKey(event: KeyboardEvent, app: App): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || byId<HTMLDialogElement>('keys').open) return;
  if (event.key === 'Escape') {
    app.clear();
    target.blur();
    return;
  }
  if (target.matches('input, select, textarea')) return;
  // A focused button takes its own keys.
  if (target.matches('button, [role="button"]') && (event.key === 'Enter' || event.key === ' ')) return;
  const { timeline, scene } = app;
  const steps = scene?.points?.linearization.order.length ?? 0;
  const actions: Record<string, () => void> = {
    ArrowLeft: () => (event.shiftKey ? timeline.pan(-0.2) : app.walk(-1, 0)),
    ArrowRight: () => (event.shiftKey ? timeline.pan(0.2) : app.walk(1, 0)),
    ArrowUp: () => app.walk(0, -1),
    ArrowDown: () => app.walk(0, 1),
    '+': () => timeline.magnify(2),
    '=': () => timeline.magnify(2),
    '-': () => timeline.magnify(0.5),
    '0': () => timeline.showAll(),
    c: () => app.showCore(),
    Enter: () => app.chosen !== null && timeline.showOperation(app.chosen),
    '/': () => byId('query').focus(),
    n: () => app.goToMatch(1),
    N: () => app.goToMatch(-1),
    '[': () => app.setStep((scene?.step ?? 0) - 1),
    ']': () => app.setStep((scene?.step ?? 0) + 1),
    '{': () => app.setTurn(app.turn - 1),
    '}': () => app.setTurn(app.turn + 1),
    Home: () => app.setStep(0),
    End: () => app.setStep(steps),
    o: () => app.setScale(scene?.scale === 'time' ? 'order' : 'time'),
    t: () => app.toggleTheme(),
    '?': () => app.toggleKeys(),
  };
  const action = actions[event.key];
  if (action === undefined || scene === null) return;
  event.preventDefault();
  action();
}
