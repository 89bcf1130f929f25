/** One control of the deformer with all that can be done to it: drag, type, key-frame, paint, reset. */

import { equal, get, isObject, type Json, type Path } from '../document/json';
import { edited, hasKeyAt, isKeyed, isMapped, valueAt, withKey, withoutKey, type Plain } from '../document/keyed';
import type { Control } from '../link/protocol';
import type { Studio } from '../studio';
import { h, icon, iconButton, isBeingTyped, newId } from './dom';
import { hintOf, labelOf, sliderRange, type SliderRange } from './labels';

export interface Row {
  element: HTMLElement;
  /** Shows the document as it is now. */
  update(): void;
}

export interface RowContext {
  studio: Studio;
  control: Control;
  path: Path;
  /** What the control counts as when it is not in the document: its default, or the preset's number. */
  fallback: () => Json;
  /** Names that may stand for it besides its choices: groups, attributes. */
  options?: () => string[];
  paint?: () => void;
  size: () => number;
}

/** Text of a path as error messages write it. */
function pathText(path: Path): string {
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');
}

export function controlRow(context: RowContext): Row {
  const { studio, control, path } = context;
  const label = labelOf(control.path);
  const problem = h('p', { class: 'problem', role: 'alert' });
  const body = h('div', { class: 'row-body' });
  const element = h('div', { class: 'row', 'data-path': control.path, 'data-hint': hintOf(control) }, body, problem);
  let mode = '';
  let updateBody: () => void = () => {};

  const value = () => get(studio.scene, path);
  const modeNow = (): string => {
    if (control.kind !== 'number' && control.kind !== 'integer') return control.kind;
    return isMapped(value()) ? 'map' : 'number';
  };
  const rebuild = () => {
    mode = modeNow();
    const made =
      mode === 'map'
        ? mappedBody(context, label)
        : mode === 'number'
          ? numberBody(context, label)
          : mode === 'vector'
            ? vectorBody(context, label)
            : mode === 'flag'
              ? flagBody(context, label)
              : choiceBody(context, label);
    body.replaceChildren(...made.parts);
    updateBody = made.update;
  };
  const update = () => {
    if (mode !== modeNow()) rebuild();
    updateBody();
    const refused = studio.refused.value;
    const isOurs = refused !== null && refused.path.startsWith(pathText(path));
    problem.textContent = isOurs ? refused.message : '';
    element.classList.toggle('wrong', isOurs);
    element.classList.toggle('own', value() !== undefined);
  };
  rebuild();
  return { element, update };
}

interface RowBody {
  parts: Node[];
  update(): void;
}

function write(context: RowContext, next: Json | undefined, gesture: string | null = null): void {
  context.studio.setAt(context.path, next, `Change ${labelOf(context.control.path).toLowerCase()}`, gesture);
}

function now(context: RowContext): Json {
  return get(context.studio.scene, context.path) ?? context.fallback();
}

function resetButton(context: RowContext, label: string): HTMLButtonElement {
  return iconButton('reset', `${label}: back to default`, () => write(context, undefined), { class: 'icon-button reset' });
}

function keyButton(context: RowContext, label: string): { button: HTMLButtonElement; update(): void } {
  const { studio, path } = context;
  const button = iconButton('key', '', () => {
    const frame = studio.frame.value;
    const value = get(studio.scene, path);
    if (hasKeyAt(value, frame)) write(context, withoutKey(value, frame));
    else {
      const plain = valueAt(value ?? context.fallback(), frame);
      if (plain !== undefined) write(context, withKey(value, frame, plain));
    }
  });
  button.classList.add('key');
  return {
    button,
    update: () => {
      const value = get(studio.scene, path);
      const here = hasKeyAt(value, studio.frame.value);
      button.classList.toggle('has-keys', isKeyed(value));
      button.classList.toggle('is-key', here);
      const text = here ? `${label}: delete the key at this frame` : `${label}: set a key at this frame`;
      button.title = text;
      button.setAttribute('aria-label', text);
      button.disabled = valueAt(value ?? context.fallback(), studio.frame.value) === undefined;
    },
  };
}

/** Slider and number that change one plain number. */
export function numberInputs(
  label: string,
  range: () => SliderRange,
  input: (value: number, gesture: string | null) => void,
  studio: Studio,
  id = newId(),
): { slider: HTMLInputElement; number: HTMLInputElement; show(value: number | null): void } {
  let gesture: string | null = null;
  const slider = h('input', { type: 'range', id, 'aria-label': label, step: 'any' });
  const number = h('input', { type: 'number', step: 'any', 'aria-label': `${label}, number` });
  const snapped = (value: number) => {
    const { low, step } = range();
    return Number((low + Math.round((value - low) / step) * step).toPrecision(10));
  };
  slider.addEventListener('input', () => {
    gesture ??= studio.newGesture();
    input(snapped(slider.valueAsNumber), gesture);
  });
  slider.addEventListener('change', () => {
    gesture = null;
    studio.history.seal();
  });
  slider.addEventListener('keydown', (event) => {
    const { low, high, step } = range();
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    gesture ??= studio.newGesture();
    input(snapped(Math.min(high, Math.max(low, slider.valueAsNumber + by * step))), gesture);
  });
  slider.addEventListener('keyup', () => {
    gesture = null;
    studio.history.seal();
  });
  number.addEventListener('change', () => {
    if (Number.isFinite(number.valueAsNumber)) input(number.valueAsNumber, null);
  });
  return {
    slider,
    number,
    show: (value) => {
      const { low, high } = range();
      slider.min = String(Math.min(low, value ?? low));
      slider.max = String(Math.max(high, value ?? high));
      slider.disabled = number.disabled = value === null;
      if (value === null) {
        slider.value = slider.min;
        number.value = '';
        return;
      }
      slider.value = String(value);
      const part = (value - Number(slider.min)) / (Number(slider.max) - Number(slider.min) || 1);
      slider.style.setProperty('--part', `${100 * part}%`);
      const text = String(Number(value.toPrecision(6)));
      if (!isBeingTyped(number)) number.value = text;
    },
  };
}

/** The number that takes the place of an automatic one. */
function begin({ low, high, step }: SliderRange): number {
  const wish = low < 0 ? 0 : 0.3 * high;
  return Number((low + Math.round((wish - low) / step) * step).toPrecision(10));
}

function unitOf(control: Control): HTMLElement | null {
  const text = { '': '', length: ' length', degrees: ' °' }[control.unit];
  return text ? h('span', { class: 'unit' }, text) : null;
}

function numberBody(context: RowContext, label: string): RowBody {
  const { studio, control, path } = context;
  const id = newId();
  const change = (value: number, gesture: string | null) =>
    write(context, edited(get(studio.scene, path), studio.frame.value, value), gesture);
  const inputs = numberInputs(label, () => sliderRange(control, context.size()), change, studio, id);
  const key = keyButton(context, label);
  const hasAuto = typeof control.default !== 'number';
  const auto = h('button', { type: 'button', class: 'auto', title: `${label}: found automatically`, 'aria-label': `${label}: automatic`, onclick: () => {
    const isAuto = valueAt(now(context), studio.frame.value) === undefined;
    write(context, isAuto ? begin(sliderRange(control, context.size())) : undefined);
  } }, 'auto');
  const paint = context.paint && iconButton('paint', `Paint ${label.toLowerCase()}`, context.paint);
  return {
    parts: [
      h('label', { for: id }, label, unitOf(control)),
      h('span', { class: 'row-buttons' }, hasAuto && auto, paint, control.keyable && key.button, resetButton(context, label)),
      inputs.slider,
      inputs.number,
    ],
    update: () => {
      const value = valueAt(now(context), studio.frame.value);
      inputs.show(typeof value === 'number' ? value : null);
      auto.setAttribute('aria-pressed', String(typeof value !== 'number'));
      key.update();
    },
  };
}

/** A painted number: what it is where the map is 0 and where it is 1. */
function mappedBody(context: RowContext, label: string): RowBody {
  const { studio, control, path } = context;
  const part = (which: 'low' | 'high', text: string) => {
    const at: Path = [...path, which];
    const change = (value: number, gesture: string | null) =>
      studio.setAt(at, edited(get(studio.scene, at), studio.frame.value, value), `Change ${label.toLowerCase()}`, gesture);
    const inputs = numberInputs(`${label}, ${text}`, () => sliderRange(control, context.size()), change, studio);
    const key = keyButton({ ...context, path: at, fallback: () => (which === 'low' ? 0 : 1) }, `${label}, ${text}`);
    const line = h('div', { class: 'map-line' }, h('span', {}, text), inputs.slider, inputs.number, control.keyable && key.button);
    const update = () => {
      key.update();
      const value = valueAt(get(studio.scene, at) ?? (which === 'low' ? 0 : 1), studio.frame.value);
      inputs.show(typeof value === 'number' ? value : null);
    };
    return { line, update };
  };
  const low = part('low', 'at 0');
  const high = part('high', 'at 1');
  const name = h('span', { class: 'map-name' });
  return {
    parts: [
      h('span', { class: 'label' }, label, unitOf(control), name),
      h(
        'span',
        { class: 'row-buttons' },
        context.paint && iconButton('paint', `Paint ${label.toLowerCase()}`, context.paint),
        resetButton(context, label),
      ),
      low.line,
      high.line,
    ],
    update: () => {
      const value = get(studio.scene, path);
      name.textContent = isObject(value) ? `painted: ${String(value.map)}` : '';
      low.update();
      high.update();
    },
  };
}

export function vectorInputs(
  label: string,
  input: (value: number[]) => void,
): { inputs: HTMLInputElement[]; show(value: number[] | null): void } {
  const inputs = ['x', 'y', 'z'].map((axis) =>
    h('input', {
      type: 'number',
      step: 'any',
      class: `axis-${axis}`,
      'aria-label': `${label} ${axis}`,
      onchange: () => {
        const value = inputs.map((i) => i.valueAsNumber);
        if (value.every(Number.isFinite)) input(value);
      },
    }),
  );
  return {
    inputs,
    show: (value) =>
      inputs.forEach((element, c) => {
        const text = value ? String(Number(value[c].toPrecision(5))) : '';
        if (!isBeingTyped(element)) element.value = text;
      }),
  };
}

function vectorBody(context: RowContext, label: string): RowBody {
  const { studio, control, path } = context;
  const vector = vectorInputs(label, (value) =>
    write(context, edited(get(studio.scene, path), studio.frame.value, value as Plain)),
  );
  const key = keyButton(context, label);
  const isAuto = control.default === 'auto';
  const auto = h('button', { type: 'button', class: 'auto', title: `${label}: found automatically`, 'aria-label': `${label}: automatic`, onclick: () => write(context, undefined) }, 'auto');
  return {
    parts: [
      h('span', { class: 'label' }, label, unitOf(control)),
      h('span', { class: 'row-buttons' }, isAuto && auto, control.keyable && key.button, !isAuto && resetButton(context, label)),
      h('div', { class: 'vector', role: 'group', 'aria-label': label }, ...vector.inputs),
    ],
    update: () => {
      const value = valueAt(now(context), studio.frame.value);
      vector.show(Array.isArray(value) ? value : typeof value === 'number' ? [value, value, value] : null);
      auto.setAttribute('aria-pressed', String(value === undefined));
      key.update();
    },
  };
}

function flagBody(context: RowContext, label: string): RowBody {
  const id = newId();
  const box = h('input', { type: 'checkbox', id, onchange: () => {
    write(context, equal(box.checked, context.control.default) ? undefined : box.checked);
  } });
  return {
    parts: [h('label', { for: id, class: 'flag' }, box, label)],
    update: () => {
      box.checked = now(context) === true;
    },
  };
}

function choiceBody(context: RowContext, label: string): RowBody {
  const id = newId();
  const select = h('select', { id, onchange: () => {
    write(context, select.value === '' || equal(select.value, context.control.default) ? undefined : select.value);
  } });
  let shown: string | null = null;
  return {
    parts: [h('label', { for: id }, label), h('span', { class: 'row-buttons' }, resetButton(context, label)), h('div', { class: 'select' }, select, icon('nextKey'))],
    update: () => {
      const value = now(context);
      const names = [...new Set([...(context.control.choices ?? []), ...(context.options?.() ?? [])])];
      const text = typeof value === 'string' ? value : '';
      if (text && !names.includes(text)) names.push(text);
      if (context.control.default === null || typeof context.control.default !== 'string') names.unshift('');
      if (shown !== names.join('\n')) {
        shown = names.join('\n');
        select.replaceChildren(...names.map((name) => h('option', { value: name }, name === '' ? 'none' : name.replaceAll('_', ' '))));
      }
      select.value = text;
    },
  };
}
