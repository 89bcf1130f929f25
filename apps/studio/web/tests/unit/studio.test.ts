import { beforeEach, expect, test } from 'vitest';
import { csvOf, endingOf, freeAsset, hashOf, safeName } from '../../src/assets';
import type { Control, Hello, SolvedFrame } from '../../src/link/protocol';
import { Studio } from '../../src/studio';

const stiffness: Control = {
  path: 'stiffness',
  of: 'object',
  kind: 'number',
  unit: '',
  low: 0,
  high: null,
  step: 0.01,
  default: 1,
  choices: [],
  hint: '',
  keyable: true,
  paintable: true,
  group: 'deform',
};

let studio: Studio;
beforeEach(() => {
  studio = new Studio();
  studio.hello.set({ schema: [stiffness] } as unknown as Hello);
  studio.open({ knead: 1, frames: [1, 10], objects: [{ name: 'ball' }, { name: 'floor' }] }, 'a.json', 'r1');
});

test('an opened document has nothing to undo and nothing to save', () => {
  expect(studio.changed).toBe(false);
  expect(studio.history.undoes).toBeNull();
  expect(studio.selection.value).toEqual({ kind: 'object', index: 0 });
});

test('changes are undone, and going back to what was saved is no change', () => {
  studio.setAt(['objects', 0, 'stiffness'], 3, 'Change stiffness');
  expect(studio.changed).toBe(true);
  studio.undo();
  expect(studio.changed).toBe(false);
  studio.redo();
  expect(studio.scene.objects).toEqual([{ name: 'ball', stiffness: 3 }, { name: 'floor' }]);
});

test('a setting of a contact that is not listed lists all of them first', () => {
  studio.session.set({
    frames: [1, 10],
    fps: 24,
    objects: [],
    contacts: [{ between: ['ball', 'floor'], of: null }],
  });
  studio.setAt(['contacts', 0, 'apparent_stiffness'], 0.5, 'Change apparent_stiffness');
  expect(studio.scene.contacts).toEqual([{ between: ['ball', 'floor'], apparent_stiffness: 0.5 }]);
});

test('contacts of the same two sides are told apart', () => {
  const finger: [string, string] = ['finger', 'finger'];
  const fold = (joint: string) => ({ between: finger, fold: { joints: ['a', joint, 'z'] } });
  studio.edit({ ...studio.scene, contacts: [fold('b'), { between: ['ball', 'floor'] }, fold('c')] }, '');
  expect([0, 1, 2].map((index) => studio.contactName(index))).toEqual(['finger · finger at b', 'ball · floor', 'finger · finger at c']);
  const report = (between: [string, string], note: string) => ({ between, direction: [0, 0, 0], zone_area: [0, 0], note });
  // Of a frame before the contact of ball and floor was added.
  const contacts = [report(finger, 'first'), report(finger, 'second')];
  studio.solved.set({ report: { contacts } } as unknown as SolvedFrame);
  expect(studio.reports().map((report) => report?.note)).toEqual(['first', undefined, 'second']);
});

test('of a simulated frame only contacts that are near are told', () => {
  studio.edit({ ...studio.scene, contacts: [{ between: ['ball', 'cube'] }, { between: ['ball', 'floor'] }] }, '');
  const report = (between: [string, string], note: string) => ({ between, direction: [0, 1, 0], zone_area: [0, 0], note });
  const contacts = [report(['ball', 'floor'], 'near'), report(['cube', 'floor'], 'of no contact of the file')];
  studio.solved.set({ report: { contacts } } as unknown as SolvedFrame);
  expect(studio.reports().map((told) => told?.note)).toEqual([undefined, 'near']);
  expect(studio.toldContacts().map(({ index, name }) => [index, name])).toEqual([[1, 'ball · floor'], [-1, 'cube · floor']]);
});

test('an edit forgets which frames were computed', () => {
  studio.computed.set([[1, 7]]);
  studio.frame.set(3);
  expect(studio.computed.value).toEqual([[1, 7]]);
  studio.setAt(['gravity'], [0, -1, 0], 'Change gravity');
  expect(studio.computed.value).toEqual([]);
});

test('painting begins with a map that changes nothing yet, in one step with its strokes', () => {
  expect(studio.paintedMap()).toBeNull();
  expect(studio.beginPainting('stroke')).toBe('stiffness_map');
  expect(studio.beginPainting('stroke')).toBe('stiffness_map');
  expect(studio.scene.objects).toMatchObject([
    { stiffness: { map: 'stiffness_map', low: 1, high: 3 }, attributes: { stiffness_map: { base: 0, strokes: [] } } },
    {},
  ]);
  studio.undo();
  expect(studio.changed).toBe(false);
});

test('undo keeps selection and frame within the document', () => {
  studio.edit({ ...studio.scene, frames: [1, 99], objects: [{ name: 'ball' }, { name: 'floor' }, { name: 'new' }] }, '');
  studio.selection.set({ kind: 'object', index: 2 });
  studio.frame.set(80);
  studio.undo();
  expect(studio.selection.value).toBeNull();
  expect(studio.frame.value).toBe(10);
});

test('files have names that the server takes, and hashes that differ', () => {
  expect(safeName('../my hand (1).OBJ')).toBe('my-hand-1-.obj');
  expect(freeAsset('a.obj', 'one', { 'a.obj': 'one' }, new Set(['a.obj']))).toBe('a.obj');
  expect(freeAsset('a.obj', 'two', { 'a.obj': 'one', 'a-2.obj': 'six' }, new Set())).toBe('a-3.obj');
  expect(freeAsset('a.obj', 'two', {}, new Set(['a.obj']))).toBe('a-2.obj');
  expect(safeName('x'.repeat(120) + '.obj')).toHaveLength(100);
  expect(endingOf('Hand.OBJ')).toBe('.obj');
  expect(new TextDecoder().decode(csvOf([0, 0.5]))).toBe('0\n0.5\n');
  expect(hashOf(csvOf([1]))).not.toBe(hashOf(csvOf([2])));
});
