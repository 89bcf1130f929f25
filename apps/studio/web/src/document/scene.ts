/** The scene document: what `knead run` reads, with names for the parts that the page touches. */

import { get, isObject, set, type Json, type JsonObject } from './json';

export interface Content {
  readonly scene: JsonObject;
  /** Files that were dropped or painted on the page: name to hash of the bytes. */
  readonly assets: Readonly<Record<string, string>>;
}

export const emptyScene: JsonObject = { knead: 1, frames: [1, 48], fps: 24, objects: [] };

export function objectsOf(scene: JsonObject): JsonObject[] {
  return Array.isArray(scene.objects) ? scene.objects.filter(isObject) : [];
}

export function contactsOf(scene: JsonObject): JsonObject[] | null {
  return Array.isArray(scene.contacts) ? scene.contacts.filter(isObject) : null;
}

export function nameOf(object: JsonObject): string {
  return typeof object.name === 'string' ? object.name : '';
}

export function findObject(scene: JsonObject, name: string): number {
  return objectsOf(scene).findIndex((object) => nameOf(object) === name);
}

/** The object of that name, or the one that it is a copy of. */
export function findOriginal(scene: JsonObject, name: string): number {
  const isCopy = (copy: Json) => isObject(copy) && nameOf(copy) === name;
  return objectsOf(scene).findIndex(
    (object) => nameOf(object) === name || (Array.isArray(object.copies) && object.copies.some(isCopy)),
  );
}

export function framesOf(scene: JsonObject): [number, number] {
  const frames = scene.frames;
  return Array.isArray(frames) && frames.length === 2 ? [Number(frames[0]), Number(frames[1])] : [1, 1];
}

export function fpsOf(scene: JsonObject): number {
  return typeof scene.fps === 'number' && scene.fps > 0 ? scene.fps : 24;
}

/** `"hand:palm"` is the part palm of the object hand. */
export function objectOfSide(side: string): string {
  return side.split(':')[0];
}

export function uniqueName(scene: JsonObject, wish: string): string {
  const taken = new Set(objectsOf(scene).map(nameOf));
  const base = wish.replace(/[:/\\"]/g, '-').trim() || 'object';
  if (!taken.has(base)) return base;
  let n = 2;
  while (taken.has(`${base}-${n}`)) ++n;
  return `${base}-${n}`;
}

export const primitives: Record<string, Json> = {
  sphere: { sphere: { radius: 1, subdivisions: 4 } },
  capsule: { capsule: { radius: 0.5, length: 1.5, resolution: 40 } },
  box: { box: { size: [1.5, 1.5, 1.5], cells: [20, 20, 20] } },
  torus: { torus: { radii: [1, 0.35], resolution: 80 } },
  grid: { grid: { size: [6, 6], cells: [80, 80] } },
};

export function addObject(scene: JsonObject, object: JsonObject): JsonObject {
  return { ...scene, objects: [...objectsOf(scene), object] };
}

export function removeObject(scene: JsonObject, index: number): JsonObject {
  const name = nameOf(objectsOf(scene)[index]);
  const stays = (between: Json | undefined) =>
    !Array.isArray(between) || between.every((side) => objectOfSide(String(side)) !== name);
  let next: JsonObject = { ...scene, objects: objectsOf(scene).filter((_, i) => i !== index) };
  const contacts = contactsOf(scene);
  if (contacts) next = { ...next, contacts: contacts.filter((contact) => stays(contact.between)) };
  if (Array.isArray(scene.exclude)) next = { ...next, exclude: scene.exclude.filter((pair) => stays(pair)) };
  return next;
}

/** Renames an object everywhere it is mentioned. */
export function renameObject(scene: JsonObject, index: number, wish: string): JsonObject {
  const old = nameOf(objectsOf(scene)[index]);
  if (wish === old || wish.trim() === '') return scene;
  const name = uniqueName(scene, wish);
  const renamed = (side: Json): Json => {
    const [object, ...part] = String(side).split(':');
    return object === old ? [name, ...part].join(':') : side;
  };
  let next = set(scene, ['objects', index, 'name'], name);
  contactsOf(next)?.forEach((contact, i) => {
    if (Array.isArray(contact.between)) next = set(next, ['contacts', i, 'between'], contact.between.map(renamed));
  });
  if (Array.isArray(next.exclude))
    next = { ...next, exclude: next.exclude.map((pair) => (Array.isArray(pair) ? pair.map(renamed) : pair)) };
  return next;
}

export function duplicateObject(scene: JsonObject, index: number): JsonObject {
  const object = objectsOf(scene)[index];
  return addObject(scene, { ...object, name: uniqueName(scene, nameOf(object).replace(/-\d+$/, '')) });
}

/**
 * The scene with its contacts written down, so that one of them can get a setting: a scene without
 * `contacts` looks at every pair.
 */
export function withContacts(scene: JsonObject, pairs: readonly (readonly [string, string])[]): JsonObject {
  if (contactsOf(scene)) return scene;
  return { ...scene, contacts: pairs.map((between) => ({ between: [...between] })) };
}

/** The names of files that the scene mentions anywhere. */
export function filesOf(scene: JsonObject): Set<string> {
  const files = new Set<string>();
  const visit = (value: Json) => {
    if (typeof value === 'string') files.add(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value)) Object.values(value).forEach(visit);
  };
  visit(get(scene, ['objects']) ?? []);
  return files;
}
