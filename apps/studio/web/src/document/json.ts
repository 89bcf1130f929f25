/** Plain JSON, read and changed by path. Changes copy what lies on the way and share the rest. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type Path = readonly (string | number)[];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function get(root: Json | undefined, path: Path): Json | undefined {
  let value = root;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step];
    else if (isObject(value) && typeof step === 'string' && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/**
 * A copy with the value at `path` replaced; `undefined` removes it, together with the objects around it
 * that become empty by that. Objects on the way that are missing are made.
 */
export function set<T extends Json>(root: T, path: Path, value: Json | undefined): T {
  return (replace(root, path, value) ?? {}) as T;
}

function replace(node: Json | undefined, path: Path, value: Json | undefined): Json | undefined {
  if (path.length === 0) return value;
  const [step, ...rest] = path;
  if (typeof step === 'number') {
    const list = Array.isArray(node) ? [...node] : [];
    const child = replace(list[step], rest, value);
    if (child === undefined) list.splice(step, 1);
    else list[step] = child;
    return list;
  }
  const object: JsonObject = isObject(node) ? { ...node } : {};
  const child = replace(object[step], rest, value);
  if (child !== undefined) object[step] = child;
  else delete object[step];
  return child === undefined && Object.keys(object).length === 0 ? undefined : object;
}

/** `"profile.wrinkles.waves"` and `"objects[0].bulge"` as paths. */
export function parsePath(text: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const [, name, index] of text.matchAll(/([^.[\]]+)|\[(\d+)\]/g))
    steps.push(index === undefined ? name : Number(index));
  return steps;
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => equal(x, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}
