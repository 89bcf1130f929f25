import { expect, test } from 'vitest';
import type { Control } from '../../src/link/protocol';
import { hintOf, labelOf, sliderRange } from '../../src/panels/labels';

const extent = { path: 'extent', kind: 'number', unit: 'length', low: 0.05, high: 3, step: 0.05 } as Control;

test('sliders of lengths follow the size of the object in round steps', () => {
  expect(sliderRange(extent, 2)).toEqual({ low: 0.05, high: 3, step: 0.05 });
  expect(sliderRange(extent, 200).high).toBe(300);
  expect(sliderRange(extent, 0.02).high).toBeCloseTo(0.03, 12);
  expect(sliderRange({ ...extent, unit: '' }, 200).high).toBe(3);
});

test('a hint says unit, range and default', () => {
  const control = { ...extent, hint: 'How far it goes', default: 'auto', least: 0, least_included: false, most: null } as Control;
  expect(hintOf(control)).toBe('How far it goes (a length in the units of the scene, more than 0, default automatic)');
  expect(hintOf({ ...control, unit: '', least_included: true, most: 1, default: 0.5 })).toBe('How far it goes (0 to 1, default 0.5)');
  expect(hintOf({ ...control, kind: 'flag' })).toBe('How far it goes');
});

test('keys of the scene file become words', () => {
  expect(labelOf('apparent_stiffness')).toBe('Apparent stiffness');
  expect(labelOf('profile.bulge_at')).toBe('Bulge at');
});
