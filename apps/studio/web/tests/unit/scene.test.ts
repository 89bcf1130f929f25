import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/document/json';
import {
  addObject,
  duplicateObject,
  filesOf,
  findOriginal,
  removeObject,
  renameObject,
  uniqueName,
  withContacts,
} from '../../src/document/scene';
import { nearAngles, poseAt, withPosePart } from '../../src/document/transform';

const scene: JsonObject = {
  knead: 1,
  objects: [{ name: 'hand', mesh: 'hand.obj' }, { name: 'ball', attributes: { firm: 'firm.csv' } }],
  contacts: [{ between: ['hand:palm', 'ball'] }, { between: ['hand:index', 'hand:palm'] }],
  exclude: [['hand', 'ball']],
};

test('removing an object removes what mentions it', () => {
  const next = removeObject(scene, 1);
  expect(next.objects).toEqual([{ name: 'hand', mesh: 'hand.obj' }]);
  expect(next.contacts).toEqual([{ between: ['hand:index', 'hand:palm'] }]);
  expect(next.exclude).toEqual([]);
});

test('renaming follows into contacts and parts', () => {
  const next = renameObject(scene, 0, 'paw');
  expect(next.contacts).toEqual([{ between: ['paw:palm', 'ball'] }, { between: ['paw:index', 'paw:palm'] }]);
  expect(next.exclude).toEqual([['paw', 'ball']]);
  expect(renameObject(scene, 0, '  ')).toBe(scene);
});

test('copies belong to their original', () => {
  const scene: JsonObject = { objects: [{ name: 'a' }, { name: 'b', copies: [{ name: 'b2' }] }] };
  expect(['a', 'b', 'b2', 'c'].map((name) => findOriginal(scene, name))).toEqual([0, 1, 1, -1]);
});

test('names stay different, and free of what means a part', () => {
  expect(uniqueName(scene, 'ball')).toBe('ball-2');
  expect(uniqueName(scene, 'a:b')).toBe('a-b');
  expect(duplicateObject(duplicateObject(scene, 1), 1).objects).toHaveLength(4);
  expect(addObject(scene, { name: 'new' }).objects).toHaveLength(3);
});

test('contacts are written down only when they are not', () => {
  expect(withContacts(scene, [['a', 'b']])).toBe(scene);
  const { contacts: _, ...open } = scene;
  expect(withContacts(open, [['hand', 'ball']]).contacts).toEqual([{ between: ['hand', 'ball'] }]);
});

test('files are found wherever they are mentioned', () => {
  expect(filesOf(scene)).toContain('hand.obj');
  expect(filesOf(scene)).toContain('firm.csv');
});

test('a pose is read at a frame, and written as a key where there are keys', () => {
  const object = { transform: { translate: { keys: [[1, [0, 0, 0]], [3, [2, 0, 0]]] }, scale: 2 } };
  expect(poseAt(object, 2)).toEqual({ translate: [1, 0, 0], rotate: [0, 0, 0], scale: [2, 2, 2] });
  expect(withPosePart(object, 'translate', 2, [5, 0, 0]).transform).toEqual({
    translate: { keys: [[1, [0, 0, 0]], [2, [5, 0, 0]], [3, [2, 0, 0]]] },
    scale: 2,
  });
  expect(withPosePart(object, 'scale', 2, [3, 3, 3]).transform).toMatchObject({ scale: 3 });
  expect(withPosePart(object, 'scale', 2, [3, 1, 3]).transform).toMatchObject({ scale: [3, 1, 3] });
  expect(withPosePart(object, 'rotate', 2, [0, 90, 0], true).transform).toMatchObject({
    rotate: { keys: [[2, [0, 90, 0]]] },
  });
});

test('keys of a scale stay of one kind', () => {
  const object = { transform: { scale: { keys: [[1, 1], [9, 2]] } } };
  expect(withPosePart(object, 'scale', 5, [1, 2, 3]).transform).toEqual({
    scale: { keys: [[1, [1, 1, 1]], [5, [1, 2, 3]], [9, [2, 2, 2]]] },
  });
});

test('angles stay near the old ones', () => {
  expect(nearAngles([-170, 10, 0], [190, 0, 360])).toEqual([190, 10, 360]);
});
