import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/document/json';
import {
  filled,
  inverted,
  mirrored,
  painted,
  paintingOf,
  paintRange,
  strokeOf,
  withStrokes,
  type Dab,
} from '../../src/document/painting';

const dab: Dab = {
  at: [1, 2, 3],
  radius: 0.5,
  falloff: 1,
  distance: 'geodesic',
  operation: 'set',
  value: 1,
  strength: 1,
};

test('a stroke says only what is not the default', () => {
  expect(strokeOf(dab)).toEqual({ at: [1, 2, 3], radius: 0.5 });
  expect(strokeOf({ ...dab, operation: 'smooth', value: 0.3, strength: 0.5 })).toEqual({
    at: [1, 2, 3],
    radius: 0.5,
    operation: 'smooth',
    strength: 0.5,
  });
  expect(strokeOf({ ...dab, value: 0, falloff: 0.5, distance: 'euclidean', operation: 'add' })).toEqual({
    at: [1, 2, 3],
    radius: 0.5,
    falloff: 0.5,
    distance: 'euclidean',
    operation: 'add',
    value: 0,
  });
});

test('painting a control keeps its number where nothing is painted', () => {
  const object = painted({ name: 'ball', stiffness: 2 }, ['stiffness'], 'firm', paintRange(2, 1, 1, null));
  expect(object).toEqual({
    name: 'ball',
    stiffness: { map: 'firm', low: 2, high: 6 },
    attributes: { firm: { base: 0, strokes: [] } },
  });
  expect(paintRange('auto', 1, 0.7, null).low).toBe(0.7);
  expect(paintRange(1, 1, 1, 1)).toEqual({ low: 1, high: 0 });
  expect(paintRange(0.5, 1, 1, 1)).toEqual({ low: 0.5, high: 1 });
});

test('strokes come after those that are there, also on a file', () => {
  const one = withStrokes({ attributes: { firm: 'firm.csv' } }, 'firm', [strokeOf(dab)]);
  expect(paintingOf(one, 'firm')).toEqual({ base: 'firm.csv', strokes: [strokeOf(dab)] });
  const two = withStrokes(one, 'firm', [strokeOf({ ...dab, at: mirrored(dab.at, 'x') })]);
  expect(paintingOf(two, 'firm')?.strokes.map((s) => s.at)).toEqual([[1, 2, 3], [-1, 2, 3]]);
  expect(paintingOf(filled(two, 'firm', 0.5), 'firm')).toEqual({ base: 0.5, strokes: [] });
});

/** What a stroke of weight w does to a vertex with the neighbours' mean m (src/knead/bulge/brush.cpp). */
function value(object: JsonObject, weights: number[], mean: (v: number) => number): number {
  const painting = paintingOf(object, 'firm')!;
  return painting.strokes.reduce((v, stroke, i) => {
    const amount = weights[i] * ((stroke.strength as number) ?? 1);
    const target = (stroke.value as number) ?? 1;
    if (stroke.operation === 'add') return v + amount * target;
    if (stroke.operation === 'subtract') return v - amount * target;
    if (stroke.operation === 'smooth') return v + amount * (mean(v) - v);
    return v + amount * (target - v);
  }, painting.base as number);
}

test('an inverted map is 1 minus what it was', () => {
  let object: JsonObject = filled({}, 'firm', 0.25);
  const operations = ['set', 'add', 'smooth', 'subtract', 'set'] as const;
  object = withStrokes(
    object,
    'firm',
    operations.map((operation, i) => strokeOf({ ...dab, operation, value: 0.3 + 0.1 * i, strength: 0.6 })),
  );
  const weights = [0.9, 0.5, 0.7, 0.2, 0.4];
  const before = value(object, weights, (v) => 0.8 * v + 0.1);
  const after = value(inverted(object, 'firm')!, weights, (v) => 0.8 * v + 0.1);
  expect(after).toBeCloseTo(1 - before, 12);
  expect(inverted({ attributes: { firm: 'firm.csv' } }, 'firm')).toBeNull();
});
