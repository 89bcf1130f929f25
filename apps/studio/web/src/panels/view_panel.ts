/** How the scene is looked at; nothing here changes the document. */

import { together } from '../signal';
import type { Look, Studio } from '../studio';
import { choiceGroup, h, newId, section } from './dom';
import { labelOf } from './labels';

export function viewPanel(studio: Studio): HTMLElement {
  const change = (part: Partial<Look>) => studio.look.patch(part);
  const shading = choiceGroup(
    'Shading',
    [
      { value: 'matcap', text: 'Matcap' },
      { value: 'plain', text: 'Plain' },
    ],
    (value) => change({ shading: value }),
  );
  const flag = (text: string, key: 'ghost' | 'wireframe' | 'clip' | 'clipFlip') => {
    const box = h('input', { type: 'checkbox', onchange: () => change({ [key]: box.checked }) });
    return { box, element: h('label', { class: 'flag' }, box, text) };
  };
  const ghost = flag('Ghost of the input', 'ghost');
  const wireframe = flag('Wireframe', 'wireframe');
  const clip = flag('Cut open', 'clip');
  const clipFlip = flag('From the other side', 'clipFlip');
  const axis = choiceGroup('Axis of the cut', (['x', 'y', 'z'] as const).map((value) => ({ value, text: value.toUpperCase() })), (value) =>
    change({ clipAxis: value }),
  );
  const at = h('input', { type: 'range', min: 0, max: 1, step: 0.005, 'aria-label': 'Place of the cut', oninput: () => change({ clipAt: at.valueAsNumber }) });
  const cut = h('div', { class: 'cut' }, axis.element, at, clipFlip.element);
  const fieldId = newId();
  const field = h('select', { id: fieldId, onchange: () => change({ field: field.value || null }) });
  let shown = '';
  together([studio.look, studio.hello, studio.session], () => {
    const look = studio.look.value;
    shading.show(look.shading);
    ghost.box.checked = look.ghost;
    wireframe.box.checked = look.wireframe;
    clip.box.checked = look.clip;
    clipFlip.box.checked = look.clipFlip;
    cut.hidden = !look.clip;
    axis.show(look.clipAxis);
    at.value = String(look.clipAt);
    at.style.setProperty('--part', `${100 * look.clipAt}%`);
    const names = fieldNames(studio);
    if (shown !== JSON.stringify(names)) {
      shown = JSON.stringify(names);
      field.replaceChildren(h('option', { value: '' }, 'Object colours'), ...names.map(([name, text]) => h('option', { value: name }, text)));
    }
    field.value = look.field ?? '';
  });
  return section(
    'View',
    true,
    h('div', { class: 'row inline' }, h('span', { class: 'label' }, 'Shading'), shading.element),
    h('div', { class: 'row' }, h('label', { for: fieldId }, 'Colour by'), h('div', { class: 'select' }, field)),
    ghost.element,
    wireframe.element,
    clip.element,
    cut,
  );
}

/** Fields of the method, then vertex attributes of the objects. */
function fieldNames(studio: Studio): [string, string][] {
  const fields = studio.hello.value?.fields.map((f): [string, string] => [f.name, f.label]) ?? [];
  const known = new Set(fields.map(([name]) => name));
  const attributes = new Set(studio.session.value?.objects.flatMap((object) => object.attributes) ?? []);
  return [...fields, ...[...attributes].filter((name) => !known.has(name)).map((name): [string, string] => [name, labelOf(name)])];
}
