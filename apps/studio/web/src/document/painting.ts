/** Maps that are painted in the scene (docs/scene.md, "Painting in the scene"). */

import { get, isObject, set, type Json, type JsonObject } from './json';
import { isMapped, valueAt } from './keyed';

export type Vector = [number, number, number];
export type Axis = 'x' | 'y' | 'z';
export type Operation = 'set' | 'add' | 'subtract' | 'smooth';

export interface Dab {
  at: Vector;
  radius: number;
  falloff: number;
  distance: 'geodesic' | 'euclidean';
  operation: Operation;
  value: number;
  strength: number;
}

export interface Painting {
  base: number | string;
  strokes: JsonObject[];
}

export function strokeOf(dab: Dab): JsonObject {
  const stroke: JsonObject = { at: dab.at.map(rounded), radius: rounded(dab.radius) };
  if (dab.falloff !== 1) stroke.falloff = rounded(dab.falloff);
  if (dab.distance !== 'geodesic') stroke.distance = dab.distance;
  if (dab.operation !== 'set') stroke.operation = dab.operation;
  if (dab.operation !== 'smooth' && dab.value !== 1) stroke.value = dab.value;
  if (dab.strength !== 1) stroke.strength = rounded(dab.strength);
  return stroke;
}

// Six digits are far below what a brush can show, and keep the file readable.
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

export function mirrored(at: Vector, axis: Axis): Vector {
  const result: Vector = [...at];
  result['xyz'.indexOf(axis)] *= -1;
  return result;
}

export function paintingOf(object: JsonObject, attribute: string): Painting | null {
  const found = get(object, ['attributes', attribute]);
  if (typeof found === 'string') return { base: found, strokes: [] };
  if (!isObject(found)) return null;
  const base = typeof found.base === 'number' || typeof found.base === 'string' ? found.base : 0;
  return { base, strokes: Array.isArray(found.strokes) ? found.strokes.filter(isObject) : [] };
}

export function withPainting(object: JsonObject, attribute: string, painting: Painting): JsonObject {
  return set(object, ['attributes', attribute], { base: painting.base, strokes: painting.strokes });
}

export function withStrokes(object: JsonObject, attribute: string, strokes: JsonObject[]): JsonObject {
  const painting = paintingOf(object, attribute) ?? { base: 0, strokes: [] };
  return withPainting(object, attribute, { ...painting, strokes: [...painting.strokes, ...strokes] });
}

export function filled(object: JsonObject, attribute: string, value: number): JsonObject {
  return withPainting(object, attribute, { base: value, strokes: [] });
}

/**
 * What was 0 becomes 1, and the other way around. Every stroke is a weighted mean, a sum or a smoothing, and
 * all of them commute with x -> 1 - x when their values are turned around, so the map is inverted exactly.
 * A map whose base is a file cannot be: null.
 */
export function inverted(object: JsonObject, attribute: string): JsonObject | null {
  const painting = paintingOf(object, attribute);
  if (!painting || typeof painting.base === 'string') return null;
  const strokes = painting.strokes.map((stroke): JsonObject => {
    const operation = stroke.operation ?? 'set';
    if (operation === 'add') return { ...stroke, operation: 'subtract' };
    if (operation === 'subtract') return { ...stroke, operation: 'add' };
    if (operation === 'smooth') return stroke;
    return { ...stroke, value: 1 - (typeof stroke.value === 'number' ? stroke.value : 1) };
  });
  return withPainting(object, attribute, { base: 1 - painting.base, strokes });
}

/** The name of the map behind a control, or null when it is a number. */
export function mapOf(value: Json | undefined): string | null {
  return isMapped(value) ? (value.map as string) : null;
}

export interface PaintRange {
  low: number;
  high: number;
}

/** A control that becomes painted keeps its number where the map is 0, and shows a clear change where it is 1. */
export function paintRange(value: Json | undefined, frame: number, fallback: number, limit: number | null): PaintRange {
  const now = valueAt(value, frame);
  const low = typeof now === 'number' ? now : fallback;
  const high = low > 0 ? low * 3 : 1;
  return { low, high: limit === null ? high : low < limit ? Math.min(high, limit) : 0 };
}

/** The control at `path` painted by `attribute`; a map that is new begins as 0 everywhere. */
export function painted(
  object: JsonObject,
  path: readonly (string | number)[],
  attribute: string,
  range: PaintRange,
): JsonObject {
  const next = set(object, path, { map: attribute, low: range.low, high: range.high });
  return paintingOf(next, attribute) ? next : filled(next, attribute, 0);
}
