/** What lies over the view: tools, legend, messages. */

import { together, type Signal } from '../signal';
import type { Studio, Tool } from '../studio';
import { legendStops } from '../view/colors';
import type { Legend } from '../view/viewport';
import { choiceGroup, h, icon, iconButton, short, type IconName } from './dom';

const tools: { tool: Tool; icon: IconName; label: string }[] = [
  { tool: 'move', icon: 'move', label: 'Move (W)' },
  { tool: 'rotate', icon: 'rotate', label: 'Turn (E)' },
  { tool: 'scale', icon: 'scale', label: 'Size (R)' },
  { tool: 'paint', icon: 'paint', label: 'Paint (B)' },
];

export function toolBar(studio: Studio, frame: () => void, picture: () => void): HTMLElement {
  const buttons = tools.map(({ tool, icon: name, label }) => iconButton(name, label, () => studio.tool.set(tool)));
  studio.tool.watch((now) => buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(tools[i].tool === now))));
  return h(
    'div',
    { class: 'tool-bar', role: 'toolbar', 'aria-label': 'Tools' },
    ...buttons,
    h('hr', {}),
    iconButton('frame', 'Frame what is selected (F)', frame),
    iconButton('camera', 'Copy a picture (P)', picture, { class: 'icon-button narrow-only' }),
  );
}

/** A/B: what comes in, or what comes out. */
export function inputOrOutput(studio: Studio): HTMLElement {
  const choice = choiceGroup(
    'A/B: input or output',
    [
      { value: 'input', text: 'Input', title: 'As the objects come (A)' },
      { value: 'output', text: 'Output', title: 'With contact resolved (A)' },
    ],
    (value) => studio.look.patch({ show: value }),
  );
  choice.element.classList.add('input-or-output');
  studio.look.watch((look) => choice.show(look.show));
  return choice.element;
}

export function legendView(legend: Signal<Legend | null>): HTMLElement {
  const bar = h('div', { class: 'legend-bar' });
  const [low, high] = [h('span', {}), h('span', {})];
  const label = h('div', { class: 'legend-label' });
  const element = h('div', { class: 'legend', role: 'img' }, label, bar, h('div', { class: 'legend-ends' }, low, high));
  legend.watch((now) => {
    element.hidden = now === null;
    if (!now) return;
    label.textContent = now.label;
    low.textContent = short(now.scale.low);
    high.textContent = short(now.scale.high);
    bar.style.background = `linear-gradient(to right, ${legendStops(now.scale)})`;
    element.setAttribute('aria-label', `${now.label} from ${low.textContent} to ${high.textContent}`);
  });
  return element;
}

/** Where the method had no answer, with the reason; a click selects that contact. */
export function warnings(studio: Studio): HTMLElement {
  const element = h('div', { class: 'warnings', role: 'status' });
  together([studio.solved, studio.measures], () => {
    const simulation = studio.solved.value?.report.simulation;
    const noted = [
      ...(simulation?.notes ?? []).map((note) => ({ name: '', index: -1, note })),
      ...studio.toldContacts().map(({ name, index, report }) => ({ name, index, note: report.note })),
    ].filter(({ note }) => note);
    const key = JSON.stringify(noted);
    if (element.dataset.shown === key) return;
    element.dataset.shown = key;
    element.replaceChildren(
      ...noted.slice(0, 3).map(({ name, index, note }) =>
        h(
          'button',
          { type: 'button', onclick: () => index >= 0 && studio.selection.set({ kind: 'contact', index }) },
          icon('warning'),
          h('span', {}, h('b', {}, name), ` ${note}`),
        ),
      ),
      ...(noted.length > 3 ? [h('span', { class: 'more' }, `and ${noted.length - 3} more in the read-out`)] : []),
    );
  });
  return element;
}

/** A line that says what happened, and goes again. */
export function toast(studio: Studio): HTMLElement {
  const element = h('div', { class: 'toast', role: 'status', 'aria-live': 'polite' });
  let timer = 0;
  studio.message.watch((message) => {
    clearTimeout(timer);
    element.className = `toast ${message ? `shown ${message.kind}` : ''}`;
    if (!message) return;
    element.replaceChildren(...(message.kind === 'info' ? [] : [icon('warning')]), message.text);
    timer = window.setTimeout(() => studio.message.set(null), message.kind === 'info' ? 2500 : 7000);
  });
  return element;
}

/** What stays until it is over: no connection, or a document that the server refuses. */
export function banner(studio: Studio): HTMLElement {
  const element = h('div', { class: 'banner', role: 'alert' });
  let begun = false;
  let since = 0;
  // A page whose token is not known any more is turned away; all it sees of that is a socket that closes.
  const advice = () => (performance.now() - since > 8000 ? ' If the studio was started again, open the address that it printed.' : '');
  studio.online.on(() => {
    since = performance.now();
    if (!studio.online.value) window.setTimeout(() => update(), 8500);
  });
  const update = () => {
    begun ||= studio.online.value;
    const refused = studio.refused.value;
    element.hidden = studio.online.value && !refused;
    element.classList.toggle('offline', !studio.online.value);
    element.textContent = !studio.online.value
      ? begun
        ? `The connection to the studio is lost. Your work is kept here; reconnecting …${advice()}`
        : 'Connecting …'
      : refused
        ? `${refused.message}. The last good result is shown.`
        : '';
  };
  together([studio.online, studio.refused, studio.hello], update);
  return element;
}
