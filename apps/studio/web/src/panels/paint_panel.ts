/** The brush: what it paints, how large, how strong. */

import { parsePath } from '../document/json';
import { filled, inverted } from '../document/painting';
import { nameOf } from '../document/scene';
import { together } from '../signal';
import type { Brush, Studio } from '../studio';
import { numberInputs } from './control_row';
import { choiceGroup, h, newId, section } from './dom';
import { labelOf } from './labels';

export function paintPanel(studio: Studio): HTMLElement {
  const change = (part: Partial<Brush>) => studio.brush.patch(part);
  const controlId = newId();
  const control = h('select', { id: controlId, onchange: () => change({ control: control.value }) });
  const kind = choiceGroup(
    'Brush',
    [
      { value: 'local', text: 'Local', title: 'A round brush on the surface' },
      { value: 'radial', text: 'Radial', title: 'Everything on the same ways out of a contact' },
    ],
    (value) => change({ kind: value }),
  );
  const operation = choiceGroup(
    'Operation',
    (['set', 'add', 'subtract', 'smooth'] as const).map((value) => ({ value, text: labelOf(value) })),
    (value) => change({ operation: value }),
  );
  const mirror = choiceGroup(
    'Symmetry',
    (['off', 'x', 'y', 'z'] as const).map((value) => ({ value, text: value === 'off' ? 'Off' : value.toUpperCase() })),
    (value) => change({ mirror: value === 'off' ? null : value }),
  );
  const through = h('input', { type: 'checkbox', onchange: () => change({ distance: through.checked ? 'euclidean' : 'geodesic' }) });
  const number = (label: string, key: 'radius' | 'falloff' | 'strength' | 'value', hint: string, range: () => { low: number; high: number; step: number }) => {
    const id = newId();
    const inputs = numberInputs(label, range, (value) => change({ [key]: value }), studio, id);
    const element = h('div', { class: 'row', title: hint }, h('div', { class: 'row-body' }, h('label', { for: id }, label), h('span', {}), inputs.slider, inputs.number));
    return { element, update: () => inputs.show(studio.brush.value[key]) };
  };
  const unit = () => ({ low: 0, high: 1, step: 0.01 });
  const size = () => Math.max(studio.sizeOf(nameOf(studio.selectedObject()?.object ?? {}) || null), 1e-6);
  const radius = number('Size', 'radius', 'How far the brush reaches (a length at the object’s own size; [ and ] change it)', () => ({ low: 0.01 * size(), high: size(), step: 0.005 * size() }));
  const falloff = number('Fall-off', 'falloff', 'The part of the size over which the effect vanishes (0 a hard edge, 1 from the middle on)', unit);
  const strength = number('Strength', 'strength', 'How much of it one stroke does (0 to 1)', unit);
  const value = number('Value', 'value', 'What is set, added or taken away (0 to 1, between the two ends of the map)', unit);
  const all = (what: string, title: string, how: () => void) => h('button', { type: 'button', class: 'chip', title, onclick: how }, what);
  const note = h('p', { class: 'notes' });
  const through_row = h('label', { class: 'flag' }, through, 'Through space, not over the surface');

  const fillWith = (amount: number, what: string) => {
    const attribute = studio.beginPainting();
    const selected = studio.selectedObject();
    if (attribute && selected) studio.editObject(selected.index, (object) => filled(object, attribute, amount), what);
  };
  const invert = () => {
    const attribute = studio.beginPainting();
    const selected = studio.selectedObject();
    if (!attribute || !selected) return;
    const turned = inverted(selected.object, attribute);
    if (turned) studio.editObject(selected.index, () => turned, 'Invert the map');
    else swapEnds(studio);
  };

  const element = h(
    'div',
    { class: 'paint-panel' },
    section(
      'Paint',
      true,
      note,
      h('div', { class: 'row' }, h('label', { for: controlId }, 'Control'), h('div', { class: 'select' }, control)),
      kind.element,
      operation.element,
      radius.element,
      falloff.element,
      strength.element,
      value.element,
      h('div', { class: 'row inline' }, h('span', { class: 'label' }, 'Symmetry'), mirror.element),
      through_row,
      h(
        'div',
        { class: 'row inline' },
        all('Fill', 'The brush’s value everywhere', () => fillWith(studio.brush.value.value, 'Fill the map')),
        all('Invert', 'What was 0 becomes 1', invert),
        all('Clear', '0 everywhere', () => fillWith(0, 'Clear the map')),
      ),
    ),
  );
  studio.tool.on((tool) => {
    // After it is shown.
    if (tool === 'paint') setTimeout(() => element.scrollIntoView({ block: 'nearest' }), 60);
  });
  together([studio.brush, studio.tool, studio.selection, studio.hello, studio.content, studio.meshes], () => {
    const brush = studio.brush.value;
    element.hidden = studio.tool.value !== 'paint';
    if (element.hidden) return;
    const paths = studio.hello.value?.schema.filter((c) => c.of === 'object' && c.paintable).map((c) => c.path) ?? [];
    if (control.options.length !== paths.length)
      control.replaceChildren(...paths.map((path) => h('option', { value: path }, labelOf(path))));
    control.value = brush.control;
    kind.show(brush.kind);
    operation.show(brush.operation);
    mirror.show(brush.mirror ?? 'off');
    through.checked = brush.distance === 'euclidean';
    const isLocal = brush.kind === 'local';
    falloff.element.hidden = through_row.hidden = !isLocal;
    value.element.hidden = brush.operation === 'smooth';
    for (const row of [radius, falloff, strength, value]) row.update();
    const selected = studio.selectedObject();
    const map = studio.paintedMap();
    note.textContent = !selected
      ? 'Select the object to paint on.'
      : map
        ? `On ${nameOf(selected.object)}, map ${map}. Shift smooths, Ctrl takes away.`
        : `${labelOf(brush.control)} of ${nameOf(selected.object)} is one number; the first stroke makes it a map.`;
  });
  return element;
}

/** A map from a file is turned around by what its ends mean. */
function swapEnds(studio: Studio): void {
  const selected = studio.selectedObject();
  if (!selected) return;
  const path = ['objects', selected.index, ...parsePath(studio.brush.value.control)];
  const value = path.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step as string], studio.scene) as {
    map: string;
    low?: number;
    high?: number;
  };
  studio.setAt(path, { map: value.map, low: value.high ?? 1, high: value.low ?? 0 }, 'Swap the ends of the map');
}
