import { expect, test } from 'vitest';
import type { Json } from '../../src/document/json';
import { controlPoints, profilePoints } from '../../src/document/profile';
import { neighbourKey, tracksOf } from '../../src/document/tracks';

const object: Json = {
  name: 'arm',
  transform: { translate: { keys: [[1, [0, 0, 0]], [9, [1, 0, 0]]] } },
  skin: { skeleton: [{ name: 'a' }, { name: 'b', rotate: { keys: [[5, [0, 0, 90]]] } }] },
  stiffness: { map: 'firm', low: { keys: [[3, 1]] }, high: 2 },
};

test('every value with keys is a track', () => {
  expect(tracksOf(object, ['objects', 0])).toEqual([
    { path: ['objects', 0, 'transform', 'translate'], label: 'translate', frames: [1, 9] },
    { path: ['objects', 0, 'skin', 'skeleton', 1, 'rotate'], label: 'b rotate', frames: [5] },
    { path: ['objects', 0, 'stiffness', 'low'], label: 'stiffness low', frames: [3] },
  ]);
});

test('keys are walked in both ways', () => {
  const tracks = tracksOf(object);
  expect(neighbourKey(tracks, 3, 1)).toBe(5);
  expect(neighbourKey(tracks, 3, -1)).toBe(1);
  expect(neighbourKey(tracks, 9, 1)).toBeNull();
});

test('the profile begins at the zone, rises and ends level', () => {
  const shape = { bulgeAt: 0.4, endAt: 5 / 6, amplitude: 0, waves: 4 };
  const points = profilePoints(shape, 0.6);
  expect(points[0]).toEqual([0, -1]);
  expect(points[points.length - 1]).toEqual([1, 0]);
  expect(Math.max(...points.map(([, v]) => v))).toBeGreaterThan(0.1);
  for (let i = 1; i < points.length; ++i) expect(points[i][0]).toBeGreaterThan(points[i - 1][0]);
  expect(controlPoints(shape, 0.6)[4][0]).toBeCloseTo((5 / 6 + 1) / 2, 12);
});
