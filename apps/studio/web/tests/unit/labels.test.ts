import { expect, test } from 'vitest';
import type { Control } from '../../src/link/protocol';
import { labelOf, sliderRange } from '../../src/panels/labels';

const extent = { path: 'extent', kind: 'number', unit: 'length', low: 0.05, high: 3, step: 0.05 } as Control;

test('sliders of lengths follow the size of the object in round steps', () => {
  expect(sliderRange(extent, 2)).toEqual({ low: 0.05, high: 3, step: 0.05 });
  expect(sliderRange(extent, 200).high).toBe(300);
  expect(sliderRange(extent, 0.02).high).toBeCloseTo(0.03, 12);
  expect(sliderRange({ ...extent, unit: '' }, 200).high).toBe(3);
});

test('keys of the scene file become words', () => {
  expect(labelOf('apparent_stiffness')).toBe('Apparent stiffness');
  expect(labelOf('profile.bulge_at')).toBe('Bulge at');
});
