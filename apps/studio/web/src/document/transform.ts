/** Where an object is at a frame, and the same turned by a gizmo. */

import { get, set, type JsonObject } from './json';
import { edited, valueAt, withKey, type Plain } from './keyed';
import type { Vector } from './painting';

export interface Pose {
  translate: Vector;
  /** Degrees, about X first, then Y, then Z, all fixed axes. */
  rotate: Vector;
  scale: Vector;
}

export const poseParts = ['translate', 'rotate', 'scale'] as const;
export type PosePart = (typeof poseParts)[number];

const atRest: Pose = { translate: [0, 0, 0], rotate: [0, 0, 0], scale: [1, 1, 1] };

export function poseAt(object: JsonObject, frame: number): Pose {
  const part = (name: PosePart): Vector => {
    const value = valueAt(get(object, ['transform', name]), frame);
    if (typeof value === 'number') return [value, value, value];
    return Array.isArray(value) && value.length === 3 ? [value[0], value[1], value[2]] : [...atRest[name]];
  };
  return { translate: part('translate'), rotate: part('rotate'), scale: part('scale') };
}

/** Sets one part of the pose; where it is key-framed, or with `key`, as a key at the frame. */
export function withPosePart(object: JsonObject, part: PosePart, frame: number, to: Vector, key = false): JsonObject {
  const path = ['transform', part];
  const old = get(object, path);
  let next: Plain = to.map((x) => Number(x.toPrecision(9)));
  const uniform = next[0] === next[1] && next[1] === next[2];
  // One number stays one, unless keys with three are there already.
  if (part === 'scale' && uniform && !Array.isArray(valueAt(old, frame))) next = next[0];
  return set(object, path, key ? withKey(sameShape(old, next), frame, next) : edited(sameShape(old, next), frame, next));
}

// Keys of one list have the same number of components: a scale of one number becomes three when it must.
function sameShape(old: ReturnType<typeof get>, next: Plain): ReturnType<typeof get> {
  if (!Array.isArray(next) || typeof old !== 'object' || old === null || Array.isArray(old)) return old;
  const keys = (old as { keys?: [number, Plain][] }).keys;
  if (!keys) return old;
  const widened = keys.map(([f, v]): [number, Plain] => [f, typeof v === 'number' ? [v, v, v] : v]);
  return { ...old, keys: widened as never };
}

/** Angles that mean the same, nearest to the old ones, so that key-frames do not spin. */
export function nearAngles(next: Vector, old: Vector): Vector {
  return next.map((angle, i) => angle + 360 * Math.round((old[i] - angle) / 360)) as Vector;
}
