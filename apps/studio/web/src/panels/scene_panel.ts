/** What is in the scene: objects, and the contacts between them. */

import type { JsonObject } from '../document/json';
import { addObject, contactsOf, nameOf, objectsOf, primitives, uniqueName, withContacts } from '../document/scene';
import { together } from '../signal';
import type { Studio } from '../studio';
import { h, icon, iconButton, section } from './dom';

export function scenePanel(studio: Studio, colorOf: (name: string) => string): HTMLElement {
  const objects = h('ul', { class: 'list', 'aria-label': 'Objects' });
  const contacts = h('ul', { class: 'list', 'aria-label': 'Contacts' });
  const add = addMenu(studio);
  const element = h(
    'div',
    {},
    section('Objects', true, objects, add),
    section('Contacts', true, contacts, contactAdder(studio)),
  );
  together([studio.content, studio.selection, studio.session, studio.solved, studio.refused, studio.frame], () => {
    const selection = studio.selection.value;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.item : undefined;
    objects.replaceChildren(
      ...objectsOf(studio.scene).map((object, index) => {
        const name = nameOf(object);
        const swatch = h('span', { class: 'swatch' });
        swatch.style.background = colorOf(name);
        return item({
          id: `object-${index}`,
          pressed: selection?.kind === 'object' && selection.index === index,
          select: () => studio.selection.set({ kind: 'object', index }),
          parts: [swatch, h('span', { class: 'item-name' }, name), object.rigid === true && h('span', { class: 'tag' }, 'rigid')],
        });
      }),
    );
    const pairs = studio.contacts();
    // Any two bodies of a simulation may touch: of hundreds, those that are near each other are enough.
    const isListed = contactsOf(studio.scene) !== null || !studio.solved.value?.report.simulation;
    const isShown = (report: unknown, index: number) =>
      isListed || report !== undefined || (selection?.kind === 'contact' && selection.index === index);
    contacts.replaceChildren(
      ...studio.reports().flatMap((report, index) => {
        if (!isShown(report, index)) return [];
        const touching = report?.direction.some((x) => x !== 0) ?? false;
        const warns = Boolean(report?.note);
        return item({
          id: `contact-${index}`,
          pressed: selection?.kind === 'contact' && selection.index === index,
          select: () => studio.selection.set({ kind: 'contact', index }),
          title: report?.note || (touching ? 'They touch in this frame' : 'They do not touch in this frame'),
          parts: [
            warns ? icon('warning') : h('span', { class: touching ? 'dot touching' : 'dot' }),
            h('span', { class: 'item-name' }, studio.contactName(index, pairs[index])),
          ],
        });
      }),
    );
    if (focused) element.querySelector<HTMLElement>(`[data-item="${focused}"]`)?.focus();
  });
  return element;
}

interface Item {
  id: string;
  pressed: boolean;
  select: () => void;
  title?: string;
  parts: (Node | false)[];
}

function item({ id, pressed, select, title, parts }: Item): HTMLElement {
  return h(
    'li',
    {},
    h('button', { type: 'button', class: 'item', 'data-item': id, 'aria-pressed': String(pressed), title, onclick: select }, ...parts),
  );
}

function addMenu(studio: Studio): HTMLElement {
  const add = (shape: string) => {
    const name = uniqueName(studio.scene, shape);
    const object: JsonObject =
      shape === 'grid'
        ? { name, mesh: primitives[shape], rigid: true }
        : { name, mesh: primitives[shape], transform: { translate: [0, 1, 0] } };
    studio.edit(addObject(studio.scene, object), `Add ${name}`);
    studio.selection.set({ kind: 'object', index: objectsOf(studio.scene).length - 1 });
  };
  return h(
    'div',
    { class: 'add-shapes', role: 'group', 'aria-label': 'Add a shape' },
    ...Object.keys(primitives).map((shape) =>
      h('button', { type: 'button', class: 'chip', title: `Add a ${shape}`, onclick: () => add(shape) }, '+ ', shape),
    ),
  );
}

function contactAdder(studio: Studio): HTMLElement {
  const selects = [0, 1].map((i) => h('select', { 'aria-label': i === 0 ? 'First object' : 'Second object' }));
  const remove = iconButton('trash', 'Remove the selected contact', () => {
    const selection = studio.selection.value;
    if (selection?.kind !== 'contact') return;
    const listed = withContacts(studio.scene, studio.contacts());
    const rest = (listed.contacts as unknown[]).filter((_, i) => i !== selection.index);
    studio.edit({ ...listed, contacts: rest as never }, 'Remove a contact');
    studio.selection.set(null);
  });
  const add = iconButton('plus', 'Add this contact', () => {
    const between = selects.map((select) => select.value);
    if (between[0] === between[1] || studio.contacts().some((c) => [...c].sort().join() === [...between].sort().join())) {
      studio.tell('These two are a contact already, or the same object.', 'warning');
      return;
    }
    const listed = withContacts(studio.scene, studio.contacts());
    const contacts = [...(listed.contacts as never[]), { between } as never];
    studio.edit({ ...listed, contacts }, `Add the contact of ${between.join(' and ')}`);
  });
  let shown = '';
  together([studio.content, studio.selection, studio.session], () => {
    // Parts of an object may touch each other, too.
    const groups = new Map(studio.session.value?.objects.map((object) => [object.name, object.groups]));
    const names = objectsOf(studio.scene).flatMap((object) => {
      const name = nameOf(object);
      return [name, ...(groups.get(name) ?? []).map((group) => `${name}:${group}`)];
    });
    remove.disabled = studio.selection.value?.kind !== 'contact';
    if (shown === names.join('\n')) return;
    shown = names.join('\n');
    selects.forEach((select, i) => {
      const was = select.value;
      select.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
      select.value = names.includes(was) ? was : (names[i] ?? '');
    });
  });
  return h('div', { class: 'contact-adder' }, ...selects, add, remove);
}
