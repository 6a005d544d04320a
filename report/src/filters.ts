// Which objects, keys, processes and methods are shown.
import { make } from './dom.ts';
import type { Scene } from './scene.ts';
import type { Group, Grouping } from './rows.ts';
import { grouped } from './text.ts';

const kMostListed = 300;
const kNames: Record<Grouping, string> = {
  process: 'Processes', object: 'Objects', key: 'Keys', method: 'Methods', compact: '',
};

/** Fills the box with a list for each kind of group that the history has; `changed` after each choice. */
export function drawFilters(host: HTMLElement, scene: Scene, changed: () => void): void {
  host.replaceChildren(...scene.groupings().filter((grouping) => grouping !== 'compact').map((grouping) => list(scene, grouping, changed)));
}

function list(scene: Scene, grouping: Grouping, changed: () => void): HTMLElement {
  const groups = scene.groups(grouping).listed();
  const box = make('fieldset', { 'data-grouping': grouping });
  const hidden = (): Set<number> => {
    let ids = scene.hidden.get(grouping);
    if (ids === undefined) scene.hidden.set(grouping, (ids = new Set()));
    return ids;
  };
  const items = make('div', { class: 'items' });
  const seek = make('input', { type: 'search', placeholder: `${groups.length} ${kNames[grouping].toLowerCase()}`, 'aria-label': `Find among the ${kNames[grouping].toLowerCase()}` });
  const fill = () => {
    const wanted = groups.filter(({ name }) => name.toLowerCase().includes(seek.value.toLowerCase()));
    items.replaceChildren(...wanted.slice(0, kMostListed).map((group) => item(group, hidden(), changed, fill, groups)));
    if (wanted.length > kMostListed) items.append(make('p', { class: 'quiet' }, `and ${grouped(wanted.length - kMostListed)} more`));
  };
  const all = make('button', { type: 'button' }, 'all');
  all.addEventListener('click', () => {
    hidden().clear();
    fill();
    changed();
  });
  const none = make('button', { type: 'button' }, 'none');
  none.addEventListener('click', () => {
    for (const { id } of groups) hidden().add(id);
    fill();
    changed();
  });
  seek.addEventListener('input', fill);
  fill();
  box.append(make('legend', {}, kNames[grouping]), make('div', { class: 'heads' }, groups.length > 8 ? seek : '', all, none), items);
  return box;
}

function item(group: Group, hidden: Set<number>, changed: () => void, fill: () => void, groups: Group[]): HTMLElement {
  const box = make('input', { type: 'checkbox' });
  box.checked = !hidden.has(group.id);
  box.addEventListener('change', () => {
    if (box.checked) hidden.delete(group.id);
    else hidden.add(group.id);
    changed();
  });
  const only = make('button', { type: 'button', class: 'link', 'aria-label': `only ${group.name}` }, 'only');
  only.addEventListener('click', () => {
    for (const { id } of groups) hidden.add(id);
    hidden.delete(group.id);
    fill();
    changed();
  });
  return make('div', {}, make('label', {}, box, make('span', {}, group.name), make('small', {}, grouped(group.operations))), only);
}
