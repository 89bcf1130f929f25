/** Making elements without a framework. */

type Child = Node | string | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };
type Properties = Listeners & { class?: string; [attribute: string]: unknown };

/** `h('button', {class: 'tool', onclick: go, 'aria-label': 'Go'}, 'Go')` */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else if (typeof value === 'boolean') element.toggleAttribute(key, value);
    else if (value !== undefined && value !== null) element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

const namespace = 'http://www.w3.org/2000/svg';

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(namespace, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const icons = {
  move: 'M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3',
  rotate: 'M20 12a8 8 0 1 1-2.5-5.8M20 3v4h-4',
  scale: 'M4 20h7v-7M4 20L14 10M14 4h6v6M20 4l-5 5',
  paint: 'M14 4l6 6-8 8-6-6zM6 12l-3 9 9-3',
  undo: 'M8 5L3 10l5 5M3 10h11a6 6 0 0 1 0 12h-3',
  redo: 'M16 5l5 5-5 5M21 10H10a6 6 0 0 0 0 12h3',
  play: 'M7 4l13 8-13 8z',
  pause: 'M7 4v16M17 4v16',
  first: 'M6 5v14M19 5l-9 7 9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  previousKey: 'M15 5l-7 7 7 7',
  nextKey: 'M9 5l7 7-7 7',
  key: 'M12 4l8 8-8 8-8-8z',
  reset: 'M4 12a8 8 0 1 0 2.5-5.8M4 3v4h4',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  folder: 'M3 6h7l2 2h9v11H3z',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  export: 'M12 3v12M8 7l4-4 4 4M4 15v5h16v-5',
  camera: 'M4 7h4l2-3h4l2 3h4v13H4zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  frame: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  warning: 'M12 4l9 16H3zM12 10v5M12 17v1',
  help: 'M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17v1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
} as const;
export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGElement {
  return svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, svg('path', { d: icons[name] }));
}

/** A button with a picture; the label is what a screen reader and the tooltip say. */
export function iconButton(name: IconName, label: string, onclick: () => void, more: Properties = {}): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon-button', title: label, 'aria-label': label, onclick, ...more }, icon(name));
}

let labels = 0;
/** An id that is not used yet, to tie a label to its control. */
/** Whether somebody is in the middle of typing there, so that the text must stay as it is. */
export function isBeingTyped(input: HTMLElement): boolean {
  return document.activeElement === input && input.dataset.unfinished !== undefined;
}

export function newId(): string {
  return `control-${++labels}`;
}

/** A part of a panel that folds away. */
export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return h('details', { class: 'section', open }, h('summary', {}, title), h('div', { class: 'section-body' }, ...children));
}

/** Buttons of which one is pressed. */
export function choiceGroup<T extends string>(
  label: string,
  choices: readonly { value: T; text: string; title?: string }[],
  choose: (value: T) => void,
): { element: HTMLElement; show(value: T | null): void } {
  const buttons = choices.map(({ value, text, title }) =>
    h('button', { type: 'button', title, 'data-value': value, onclick: () => choose(value) }, text),
  );
  return {
    element: h('div', { class: 'choices', role: 'group', 'aria-label': label }, ...buttons),
    show: (value) =>
      buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.value === value))),
  };
}

/** A short, readable number. */
export function short(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-4) return value.toExponential(1);
  return String(Number(value.toPrecision(digits)));
}
