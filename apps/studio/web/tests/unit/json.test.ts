import { expect, test } from 'vitest';
import { equal, get, parsePath, set } from '../../src/document/json';

test('a change copies what lies on the way and shares the rest', () => {
  const scene = { a: { b: 1 }, c: { d: 2 } };
  const next = set(scene, ['a', 'b'], 5);
  expect(next).toEqual({ a: { b: 5 }, c: { d: 2 } });
  expect(next.c).toBe(scene.c);
  expect(scene.a.b).toBe(1);
});

test('objects on the way are made, and go again when they are empty', () => {
  const made = set({ name: 'ball' }, ['profile', 'wrinkles', 'waves'], 3);
  expect(made).toEqual({ name: 'ball', profile: { wrinkles: { waves: 3 } } });
  expect(set(made, ['profile', 'wrinkles', 'waves'], undefined)).toEqual({ name: 'ball' });
});

test('removing keeps what else is there', () => {
  const object = { profile: { bulge_at: 0.3, end_at: 0.8 } };
  expect(set(object, ['profile', 'bulge_at'], undefined)).toEqual({ profile: { end_at: 0.8 } });
  expect(set({ list: [1, 2, 3] }, ['list', 1], undefined)).toEqual({ list: [1, 3] });
});

test('paths are read as error messages write them', () => {
  expect(parsePath('objects[2].profile.bulge_at')).toEqual(['objects', 2, 'profile', 'bulge_at']);
  expect(get({ objects: [{ a: 1 }] }, parsePath('objects[0].a'))).toBe(1);
  expect(get({ objects: [] }, parsePath('objects[0].a'))).toBeUndefined();
  expect(get({ a: 1 }, ['constructor'])).toBeUndefined();
});

test('equality looks at content', () => {
  expect(equal({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
  expect(equal({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(equal([1], { 0: 1 })).toBe(false);
});
