import { expect, test } from 'vitest';
import { History } from '../../src/document/history';

test('undo and redo go back and forth', () => {
  const history = new History('a');
  history.apply('b', 'write b');
  history.apply('c', 'write c');
  expect(history.undoes).toBe('write c');
  expect(history.undo()).toBe(true);
  expect(history.state).toBe('b');
  expect(history.redoes).toBe('write c');
  expect(history.redo()).toBe(true);
  expect(history.state).toBe('c');
  expect(history.redo()).toBe(false);
});

test('a gesture is one step', () => {
  const history = new History(0);
  for (let value = 1; value <= 9; ++value) history.apply(value, 'slide', 'drag-1');
  history.apply(10, 'slide', 'drag-2');
  history.undo();
  expect(history.state).toBe(9);
  history.undo();
  expect(history.state).toBe(0);
  expect(history.undo()).toBe(false);
});

test('a sealed gesture does not go on', () => {
  const history = new History(0);
  history.apply(1, 'slide', 'drag');
  history.seal();
  history.apply(2, 'slide', 'drag');
  history.undo();
  expect(history.state).toBe(1);
});

test('a change after undo forgets what was undone', () => {
  const history = new History('a');
  history.apply('b', '');
  history.undo();
  history.apply('c', '');
  expect(history.redoes).toBeNull();
  history.undo();
  expect(history.state).toBe('a');
});

test('nothing changed is no step', () => {
  const history = new History('a');
  history.apply('a', 'nothing');
  expect(history.undoes).toBeNull();
});

test('it is bounded, and can be put away and taken out again', () => {
  const history = new History(0);
  for (let value = 1; value <= 300; ++value) history.apply(value, `${value}`);
  const again = new History(-1);
  again.restore(structuredClone(history.record()));
  expect(again.state).toBe(300);
  while (again.undo());
  expect(again.state).toBe(100);
});
