/** Everything that directs the selected object or contact. */

import { get, parsePath, type Json, type JsonObject } from '../document/json';
import { nameOf, objectsOf, removeObject, renameObject, duplicateObject } from '../document/scene';
import { hasKeyAt, isKeyed, withKey, withoutKey } from '../document/keyed';
import { poseAt, poseParts, withPosePart, type PosePart } from '../document/transform';
import type { Vector } from '../document/painting';
import type { Control } from '../link/protocol';
import { together } from '../signal';
import type { Studio } from '../studio';
import { controlRow, vectorInputs, type Row } from './control_row';
import { h, iconButton, isBeingTyped, newId, section } from './dom';
import { groupTitles } from './labels';
import { profileEditor } from './profile_editor';

const poseHints: Record<PosePart, string> = {
  translate: 'Where the object is (lengths in the units of the scene)',
  rotate: 'How it is turned, about X first, then Y, then Z (degrees)',
  scale: 'How large it is along its own axes (1 as it comes)',
};
const poseLabels: Record<PosePart, string> = { translate: 'Place', rotate: 'Turn °', scale: 'Size' };

export function inspector(studio: Studio, colorOf: (name: string) => string): HTMLElement {
  const title = h('h2', {});
  const body = h('div', { class: 'panel-body' });
  const hint = h('p', { class: 'hint', 'aria-live': 'off' });
  const element = h('section', { class: 'panel', 'aria-label': 'Controls' }, h('header', {}, title), body, hint);
  let rows: Row[] = [];
  let shown = '';

  const showHint = (event: Event) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-hint]');
    if (row) hint.textContent = row.dataset.hint ?? '';
  };
  element.addEventListener('pointerover', showHint);
  element.addEventListener('focusin', showHint);

  const rebuild = () => {
    const selection = studio.selection.value;
    const open = new Map([...body.querySelectorAll('details')].map((d) => [d.querySelector('summary')!.textContent, d.open]));
    hint.textContent = 'Point at a control to read what it does.';
    body.scrollTop = 0;
    rows = [];
    if (selection?.kind === 'object') body.replaceChildren(...objectParts(studio, rows, colorOf));
    else if (selection?.kind === 'contact') body.replaceChildren(...contactParts(studio, rows));
    else body.replaceChildren(...sceneParts(studio, rows));
    for (const part of body.querySelectorAll('details')) {
      const was = open.get(part.querySelector('summary')!.textContent);
      if (was !== undefined) part.open = was;
    }
  };

  together(
    [studio.content, studio.frame, studio.selection, studio.hello, studio.session, studio.refused],
    () => {
      const selection = studio.selection.value;
      const key = JSON.stringify([selection, studio.hello.value?.version, objectsOf(studio.scene).map(nameOf), studio.scene.method ?? null]);
      if (key !== shown) {
        shown = key;
        rebuild();
      }
      const selected = studio.selectedObject();
      title.textContent = selected
        ? nameOf(selected.object)
        : selection
          ? studio.contactName(selection.index)
          : 'Scene';
      for (const row of rows) row.update();
    },
  );
  return element;
}

function controlsOf(studio: Studio, of: Control['of']): Control[] {
  return studio.hello.value?.schema.filter((control) => control.of === of) ?? [];
}

function makeRow(studio: Studio, control: Control, rows: Row[]): HTMLElement | null {
  const path = studio.pathOf(control);
  if (!path) return null;
  const selected = studio.selectedObject();
  const info = () => studio.session.value?.objects.find((o) => selected && o.name === nameOf(selected.object));
  const options: Record<string, () => string[]> = {
    region: () => [...(info()?.groups ?? []), ...(info()?.attributes ?? [])],
    bulge_map: () => info()?.attributes ?? [],
    preset: () => studio.hello.value?.presets ?? [],
  };
  const row = controlRow({
    studio,
    control,
    path,
    fallback: (): Json => presetValue(studio, control) ?? control.default,
    options: options[control.path],
    size: () => studio.sizeOf(selected ? nameOf(selected.object) : null),
    paint: control.paintable
      ? () => {
          studio.brush.patch({ control: control.path });
          studio.tool.set('paint');
        }
      : undefined,
  });
  rows.push(row);
  return row.element;
}

/** What the object's preset says about a control. */
function presetValue(studio: Studio, control: Control): number | undefined {
  const preset = control.of === 'object' ? studio.selectedObject()?.object.preset : undefined;
  return typeof preset === 'string' ? studio.hello.value?.preset_values[preset]?.[control.path] : undefined;
}

function groupSections(studio: Studio, of: Control['of'], rows: Row[]): HTMLElement[] {
  // Each method has controls of its own for objects.
  const implicit = studio.scene.method === 'implicit';
  const controls = controlsOf(studio, of).filter(
    (control) =>
      control.path !== 'preset' &&
      control.path !== 'rigid' &&
      (of !== 'object' || (control.group === 'implicit') === implicit),
  );
  const groups = [...new Set(controls.map((control) => control.group))];
  return groups.map((group, i) =>
    section(
      groupTitles[group] ?? group,
      i < 2,
      ...(group === 'profile' ? [profileRow(studio, rows)] : []),
      ...controls.filter((control) => control.group === group).map((control) => makeRow(studio, control, rows)),
    ),
  );
}

function profileRow(studio: Studio, rows: Row[]): HTMLElement {
  const editor = profileEditor(studio);
  rows.push(editor);
  return editor.element;
}

function objectParts(studio: Studio, rows: Row[], colorOf: (name: string) => string): HTMLElement[] {
  const preset = studio.control('preset');
  const rigid = studio.control('rigid');
  return [
    section(
      'Object',
      true,
      nameRow(studio, rows, colorOf),
      preset && studio.scene.method !== 'implicit' && makeRow(studio, preset, rows),
      rigid && makeRow(studio, rigid, rows),
      notes(studio, rows),
    ),
    section('Transform', true, ...poseParts.map((part) => poseRow(studio, part, rows))),
    ...groupSections(studio, 'object', rows),
  ];
}

function nameRow(studio: Studio, rows: Row[], colorOf: (name: string) => string): HTMLElement {
  const id = newId();
  const input = h('input', { type: 'text', id, maxlength: 60, onchange: () => {
    const selected = studio.selectedObject();
    if (selected) studio.edit(renameObject(studio.scene, selected.index, input.value), `Rename ${nameOf(selected.object)}`);
  } });
  let gesture: string | null = null;
  const color = h('input', {
    type: 'color',
    'aria-label': 'Colour',
    oninput: () => {
      const rgb = [1, 3, 5].map((i) => Number((parseInt(color.value.slice(i, i + 2), 16) / 255).toFixed(3)));
      const selected = studio.selectedObject();
      gesture ??= studio.newGesture();
      if (selected) studio.setAt(['objects', selected.index, 'color'], rgb, 'Change the colour', gesture);
    },
    onchange: () => {
      gesture = null;
      studio.history.seal();
    },
  });
  rows.push({
    element: input,
    update: () => {
      const selected = studio.selectedObject();
      if (!selected) return;
      if (!isBeingTyped(input)) input.value = nameOf(selected.object);
      const parts = colorOf(nameOf(selected.object)).match(/\d+/g) ?? ['0', '0', '0'];
      color.value = `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
    },
  });
  const act = (change: (scene: JsonObject, index: number) => JsonObject, what: string) => {
    const selected = studio.selectedObject();
    if (selected) studio.edit(change(studio.scene, selected.index), `${what} ${nameOf(selected.object)}`);
  };
  return h(
    'div',
    { class: 'row name-row' },
    h('label', { for: id, class: 'visually-hidden' }, 'Name'),
    color,
    input,
    iconButton('copy', 'Duplicate this object', () => act(duplicateObject, 'Duplicate')),
    iconButton('trash', 'Delete this object', () => act(removeObject, 'Delete')),
  );
}

function notes(studio: Studio, rows: Row[]): HTMLElement {
  const element = h('p', { class: 'notes' });
  rows.push({
    element,
    update: () => {
      const selected = studio.selectedObject();
      const info = studio.session.value?.objects.find((o) => selected && o.name === nameOf(selected.object));
      element.textContent = info
        ? [`${info.vertices} vertices, ${info.triangles} triangles.`, ...info.notes].join(' ')
        : '';
    },
  });
  return element;
}

function poseRow(studio: Studio, part: PosePart, rows: Row[]): HTMLElement {
  const change = (value: number[], key = false) => {
    const selected = studio.selectedObject();
    if (!selected) return;
    studio.editObject(
      selected.index,
      (object) => withPosePart(object, part, studio.frame.value, value as Vector, key),
      `Change ${part} of ${nameOf(selected.object)}`,
    );
  };
  const vector = vectorInputs(poseLabels[part], change);
  const path = () => ['objects', studio.selectedObject()?.index ?? -1, 'transform', part];
  const key = iconButton('key', '', () => {
    const selected = studio.selectedObject();
    if (!selected) return;
    const value = get(studio.scene, path());
    const frame = studio.frame.value;
    if (hasKeyAt(value, frame)) studio.setAt(path(), withoutKey(value, frame), 'Delete a key');
    else if (isKeyed(value) || value === undefined || typeof value !== 'number')
      change(poseAt(selected.object, frame)[part], true);
    else studio.setAt(path(), withKey(value, frame, value), 'Set a key');
  });
  key.classList.add('key');
  rows.push({
    element: key,
    update: () => {
      const selected = studio.selectedObject();
      if (!selected) return;
      vector.show(poseAt(selected.object, studio.frame.value)[part]);
      const value = get(studio.scene, path());
      const here = hasKeyAt(value, studio.frame.value);
      key.classList.toggle('has-keys', isKeyed(value));
      key.classList.toggle('is-key', here);
      key.title = here ? `${poseLabels[part]}: delete the key at this frame` : `${poseLabels[part]}: set a key at this frame`;
      key.setAttribute('aria-label', key.title);
    },
  });
  return h(
    'div',
    { class: 'row pose-row', 'data-hint': poseHints[part] },
    h('span', { class: 'label' }, poseLabels[part]),
    h('div', { class: 'vector', role: 'group', 'aria-label': poseLabels[part] }, ...vector.inputs),
    key,
  );
}

function contactParts(studio: Studio, rows: Row[]): HTMLElement[] {
  return [
    h('p', { class: 'notes' }, 'Drag the arrow in the view to turn the mapping direction.'),
    ...groupSections(studio, 'contact', rows),
  ];
}

/** How contacts are resolved, of the ways that the server has. */
function methodControl(studio: Studio): Control {
  const methods = studio.hello.value?.methods ?? [];
  const inTime = methods.filter((method) => method.in_time).map((method) => method.name);
  return {
    path: 'method',
    of: 'scene',
    kind: 'choice',
    unit: '',
    low: null,
    high: null,
    step: null,
    default: 'deform',
    choices: methods.map((method) => method.name),
    hint: `How contacts are resolved: deform, every frame on its own, or a simulation from the first frame on (${inTime.join(', ')})`,
    keyable: false,
    paintable: false,
    group: 'scene',
  };
}

function sceneParts(studio: Studio, rows: Row[]): HTMLElement[] {
  const id = newId();
  const about = h('textarea', { id, rows: 3, onchange: () => {
    studio.setAt(['about'], about.value.trim() || undefined, 'Describe the scene');
  } });
  rows.push({
    element: about,
    update: () => {
      if (!isBeingTyped(about)) about.value = String(get(studio.scene, parsePath('about')) ?? '');
    },
  });
  return [
    section('Scene', true, h('div', { class: 'row' }, h('label', { for: id }, 'About'), about), makeRow(studio, methodControl(studio), rows),
      ...controlsOf(studio, 'scene').map((control) => makeRow(studio, control, rows))),
    h('p', { class: 'notes' }, 'Select an object or a contact to direct it.'),
  ];
}
