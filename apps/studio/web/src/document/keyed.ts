/** Values with key-frames, as docs/scene.md has them: evaluated and edited. */

import { isObject, type Json, type JsonObject } from './json';

export type Plain = number | number[];
export type Key = [frame: number, value: Plain];
export type Interpolation = 'smooth' | 'linear' | 'step';

export function isKeyed(value: Json | undefined): value is JsonObject {
  return isObject(value) && Array.isArray(value.keys);
}

export function isMapped(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.map === 'string';
}

export function keysOf(value: Json | undefined): Key[] {
  return isKeyed(value) ? (value.keys as unknown as Key[]) : [];
}

function isPlain(value: Json | undefined): value is Plain {
  return typeof value === 'number' || (Array.isArray(value) && value.every((x) => typeof x === 'number'));
}

/** The number or vector at a frame; undefined where the value is neither (a map, a word, nothing). */
export function valueAt(value: Json | undefined, frame: number): Plain | undefined {
  if (isPlain(value)) return value;
  const keys = keysOf(value);
  if (keys.length === 0) return undefined;
  if (frame <= keys[0][0]) return keys[0][1];
  const last = keys[keys.length - 1];
  if (frame >= last[0]) return last[1];
  const interpolation = ((value as JsonObject).interpolation as Interpolation | undefined) ?? 'smooth';
  const components = Array.isArray(last[1]) ? last[1].length : 1;
  const frames = keys.map((key) => key[0]);
  const result = Array.from({ length: components }, (_, c) =>
    interpolate(frames, keys.map(([, v]) => (Array.isArray(v) ? v[c] : v)), interpolation, frame),
  );
  return Array.isArray(last[1]) ? result : result[0];
}

// The slope at a key of a monotone cubic [Fritsch and Butland 1984], as rig/keyed.cpp has it.
function slopeAtKey(lengthBefore: number, secantBefore: number, lengthAfter: number, secantAfter: number): number {
  if (!(secantBefore * secantAfter > 0)) return 0;
  const before = lengthBefore + 2 * lengthAfter;
  const after = 2 * lengthBefore + lengthAfter;
  return (before + after) / (before / secantBefore + after / secantAfter);
}

function interpolate(frames: number[], values: number[], interpolation: Interpolation, frame: number): number {
  const next = frames.findIndex((f) => f > frame);
  const last = next - 1;
  const [a, b] = [values[last], values[next]];
  const length = frames[next] - frames[last];
  const t = (frame - frames[last]) / length;
  if (interpolation === 'step') return a;
  if (interpolation === 'linear') return (1 - t) * a + t * b;
  const secant = (i: number) => (values[i + 1] - values[i]) / (frames[i + 1] - frames[i]);
  const slopeA = last === 0 ? 0 : slopeAtKey(frames[last] - frames[last - 1], secant(last - 1), length, secant(last));
  const slopeB =
    next + 1 === frames.length ? 0 : slopeAtKey(length, secant(last), frames[next + 1] - frames[next], secant(next));
  const u = 1 - t;
  const cubic = u * u * ((1 + 2 * t) * a + t * length * slopeA) + t * t * ((1 + 2 * u) * b - u * length * slopeB);
  return Math.min(Math.max(cubic, Math.min(a, b)), Math.max(a, b));
}

function withKeys(value: JsonObject, keys: Key[]): Json {
  return { ...value, keys: keys as unknown as Json[] };
}

/** The value changed at a frame: a constant becomes `next`, a key-framed one gets or changes a key there. */
export function edited(value: Json | undefined, frame: number, next: Plain): Json {
  return isKeyed(value) ? withKey(value, frame, next) : next;
}

/** With a key at `frame`; a constant begins to be key-framed by that. */
export function withKey(value: Json | undefined, frame: number, next: Plain): Json {
  const keys = keysOf(value).filter(([f]) => f !== frame);
  keys.push([frame, next]);
  keys.sort((a, b) => a[0] - b[0]);
  return withKeys(isKeyed(value) ? value : {}, keys);
}

/** Without the key at `frame`; the last one leaves a constant. */
export function withoutKey(value: Json | undefined, frame: number): Json | undefined {
  if (!isKeyed(value)) return value;
  const keys = keysOf(value);
  const rest = keys.filter(([f]) => f !== frame);
  if (rest.length === 0) return keys.length > 0 ? keys[0][1] : undefined;
  return withKeys(value, rest);
}

/** With the key at `from` moved to `to`, where it replaces what is there. */
export function withKeyMoved(value: Json | undefined, from: number, to: number): Json | undefined {
  const key = keysOf(value).find(([f]) => f === from);
  if (!isKeyed(value) || !key || from === to) return value;
  const others = keysOf(value).filter(([f]) => f !== from && f !== to);
  const keys: Key[] = [...others, [to, key[1]]];
  return withKeys(value, keys.sort((a, b) => a[0] - b[0]));
}

export function hasKeyAt(value: Json | undefined, frame: number): boolean {
  return keysOf(value).some(([f]) => f === frame);
}
