/** The bar at the top: the file, undo, and the panels. */

import { together } from '../signal';
import type { Studio } from '../studio';
import { h, icon, iconButton } from './dom';

export interface Actions {
  open(): void;
  save(): void;
  saveAs(): void;
  export(): void;
  picture(): void;
  help(): void;
  toggleSide(side: 'left' | 'right'): void;
}

export function topBar(studio: Studio, actions: Actions): HTMLElement {
  const name = h('span', { class: 'file-name' });
  const undo = iconButton('undo', 'Undo', () => studio.undo());
  const redo = iconButton('redo', 'Redo', () => studio.redo());
  const left = iconButton('menu', 'Scene, view and read-out', () => actions.toggleSide('left'), { class: 'icon-button side-toggle' });
  const right = h('button', { type: 'button', class: 'text-button side-toggle', title: 'Controls', onclick: () => actions.toggleSide('right') }, 'Controls');
  together([studio.content, studio.file], () => {
    const path = studio.file.value.path ?? 'New scene';
    name.textContent = `${studio.changed ? '• ' : ''}${path.replace(/\.json$/, '')}`;
    name.title = studio.changed ? 'There are changes that are not saved' : 'Saved';
    document.title = `${studio.changed ? '• ' : ''}${path} – Knead studio`;
    const { undoes, redoes } = studio.history;
    undo.disabled = undoes === null;
    redo.disabled = redoes === null;
    undo.title = undoes ? `Undo: ${undoes} (Ctrl Z)` : 'Nothing to undo';
    redo.title = redoes ? `Redo: ${redoes} (Ctrl Shift Z)` : 'Nothing to redo';
  });
  return h(
    'header',
    { class: 'top-bar' },
    left,
    h('h1', { class: 'brand' }, 'Knead'),
    h('button', { type: 'button', class: 'open-button', title: 'Open a demo or a scene (Ctrl O)', onclick: () => actions.open() }, icon('folder'), name),
    iconButton('save', 'Save (Ctrl S)', () => actions.save()),
    iconButton('export', 'Export (Ctrl E)', () => actions.export()),
    iconButton('camera', 'Copy a picture (P)', () => actions.picture(), { class: 'icon-button wide-only' }),
    h('span', { class: 'spacer' }),
    undo,
    redo,
    iconButton('help', 'Shortcuts (?)', () => actions.help(), { class: 'icon-button' }),
    right,
  );
}
