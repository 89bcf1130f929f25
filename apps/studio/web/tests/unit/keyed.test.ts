import { expect, test } from 'vitest';
import { edited, hasKeyAt, valueAt, withKey, withKeyMoved, withoutKey } from '../../src/document/keyed';

const rise = { keys: [[1, 0], [11, 10], [21, 10]] };

test('a value holds before its first and after its last key', () => {
  expect(valueAt(rise, -5)).toBe(0);
  expect(valueAt(rise, 99)).toBe(10);
  expect(valueAt(3, 7)).toBe(3);
  expect(valueAt('auto', 7)).toBeUndefined();
});

test('smooth is flat at the ends, monotone, and never overshoots', () => {
  expect(valueAt(rise, 6)).toBeCloseTo(5, 12);
  expect(valueAt(rise, 2)).toBeCloseTo(0.28, 12);
  for (let frame = 11; frame <= 21; frame += 0.5) expect(valueAt(rise, frame)).toBe(10);
});

test('smooth goes through an inner key with the slope of both sides', () => {
  const bend = { keys: [[0, 0], [1, 1], [3, 2]] };
  // Weighted harmonic mean of the secants 1 and 1/2 with the lengths 1 and 2: 9 / (5 + 8) = 9/13.
  const step = 1e-6;
  const slope = ((valueAt(bend, 1 + step) as number) - (valueAt(bend, 1 - step) as number)) / (2 * step);
  expect(slope).toBeCloseTo(9 / 13, 5);
});

test('linear and step are what they say, for vectors too', () => {
  const keys = [[0, [0, 4]], [4, [2, 0]]];
  expect(valueAt({ keys, interpolation: 'linear' }, 1)).toEqual([0.5, 3]);
  expect(valueAt({ keys, interpolation: 'step' }, 3.9)).toEqual([0, 4]);
});

test('an edit sets a key where there are keys, and the number where there are none', () => {
  expect(edited(2, 5, 3)).toBe(3);
  expect(edited(undefined, 5, 3)).toBe(3);
  expect(edited(rise, 5, 3)).toEqual({ keys: [[1, 0], [5, 3], [11, 10], [21, 10]] });
  expect(edited(rise, 11, 3)).toEqual({ keys: [[1, 0], [11, 3], [21, 10]] });
});

test('keys are set, moved and deleted', () => {
  expect(withKey(2, 5, 2)).toEqual({ keys: [[5, 2]] });
  expect(withKeyMoved(rise, 11, 30)).toEqual({ keys: [[1, 0], [21, 10], [30, 10]] });
  expect(withKeyMoved(rise, 11, 21)).toEqual({ keys: [[1, 0], [21, 10]] });
  expect(withoutKey(rise, 11)).toEqual({ keys: [[1, 0], [21, 10]] });
  expect(withoutKey({ keys: [[5, 2]] }, 5)).toBe(2);
  expect(hasKeyAt(rise, 11)).toBe(true);
  expect(hasKeyAt(4, 11)).toBe(false);
});

test('keys keep their interpolation', () => {
  expect(withKey({ keys: [[1, 0]], interpolation: 'linear' }, 2, 1)).toEqual({
    keys: [[1, 0], [2, 1]],
    interpolation: 'linear',
  });
});
