/** Windows over the page, with the browser's own handling of focus and Escape. */

import { h, iconButton } from './dom';

export interface Dialog {
  element: HTMLDialogElement;
  close(): void;
}

export function showDialog(title: string, ...children: (Node | string)[]): Dialog {
  const element = h('dialog', { 'aria-label': title });
  const close = () => element.close();
  element.append(
    h('header', {}, h('h2', {}, title), iconButton('close', 'Close', close)),
    h('div', { class: 'dialog-body' }, ...children),
  );
  element.addEventListener('close', () => element.remove());
  element.addEventListener('click', (event) => {
    if (event.target === element) close();
  });
  document.body.append(element);
  element.showModal();
  return { element, close };
}

/** Asks to choose one of several ways on; null when the dialog is closed. */
export function ask<T extends string>(title: string, text: string, ways: { value: T; text: string; main?: boolean }[]): Promise<T | null> {
  return new Promise((resolve) => {
    let answer: T | null = null;
    const dialog = showDialog(
      title,
      h('p', {}, text),
      h(
        'div',
        { class: 'dialog-buttons' },
        ...ways.map(({ value, text: label, main }) =>
          h('button', { type: 'button', class: main ? 'main' : '', onclick: () => {
            answer = value;
            dialog.close();
          } }, label),
        ),
      ),
    );
    dialog.element.addEventListener('close', () => resolve(answer));
  });
}
