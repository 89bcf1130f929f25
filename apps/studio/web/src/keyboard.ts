/** Shortcuts, and the overlay that lists them. */

import { showDialog } from './panels/dialog';
import { h } from './panels/dom';

export interface Shortcut {
  /** As `event.key`, with "Ctrl+" and "Shift+" before it. */
  keys: string[];
  what: string;
  group: string;
  run: () => void;
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const ctrl = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  // Shift counts for letters and arrows; of other signs it is part.
  const shift = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key)) ? 'Shift+' : '';
  return ctrl + shift + key;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['range', 'checkbox', 'color', 'button'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** While something is typed and not yet taken, undo is the field's own. */
function isUnfinished(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.dataset.unfinished !== undefined;
}

export function listen(shortcuts: Shortcut[]): void {
  window.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLElement && isTyping(target)) target.dataset.unfinished = '';
  });
  for (const end of ['change', 'blur'] as const)
    window.addEventListener(end, ({ target }) => target instanceof HTMLElement && delete target.dataset.unfinished, true);
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const name = nameOf(event);
    // No number has these in it.
    const isNoDigit = /^[a-df-z? ]$/.test(name) && event.target instanceof HTMLInputElement && event.target.type === 'number';
    const undoes = /^Ctrl\+(Shift\+)?[zy]$/.test(name);
    if (isTyping(event.target) && !isNoDigit && (!name.startsWith('Ctrl+') || (undoes && isUnfinished(event.target)))) return;
    // A button that has the focus is pressed with the space bar.
    if (name === ' ' && event.target instanceof HTMLButtonElement) return;
    const shortcut = shortcuts.find(({ keys }) => keys.includes(name));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  });
}

const keyNames: Record<string, string> = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→' };

export function helpDialog(shortcuts: Shortcut[]): void {
  const keyText = (key: string) => key.split('+').map((part) => keyNames[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join(' ');
  const groups = [...new Set(shortcuts.map((shortcut) => shortcut.group))];
  showDialog(
    'Shortcuts',
    h(
      'div',
      { class: 'shortcuts' },
      ...groups.map((group) =>
        h(
          'section',
          {},
          h('h3', {}, group),
          h(
            'dl',
            {},
            ...shortcuts
              .filter((shortcut) => shortcut.group === group)
              .flatMap(({ keys, what }) => [h('dt', {}, ...keys.flatMap((key, i) => [i > 0 ? ' ' : '', h('kbd', {}, keyText(key))])), h('dd', {}, what)]),
          ),
        ),
      ),
      h(
        'section',
        {},
        h('h3', {}, 'Mouse'),
        h(
          'dl',
          {},
          ...[
            ['drag', 'orbit; with two fingers or the right button pan'],
            ['wheel', 'zoom'],
            ['click', 'select'],
            ['Shift', 'smooth while painting'],
            ['Ctrl', 'take away while painting'],
          ].flatMap(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)]),
        ),
      ),
    ),
  );
}
