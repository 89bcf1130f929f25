import { expect, test } from 'vitest';
import { decode, frameOf, meshOf } from '../../src/link/protocol';
import { frameMessage, message } from './messages';

test('a frame is taken apart by object and field', () => {
  const frame = frameOf(decode(frameMessage(7, 12, { ball: [1, 2, 3, 4, 5, 6] }, { u: { ball: [0, 1] } })));
  expect(frame.report.frame).toBe(12);
  expect([...frame.after.get('ball')!]).toEqual([1, 2, 3, 4, 5, 6]);
  expect([...frame.before.get('ball')!]).toEqual([1, 2, 3, 4, 5, 6]);
  expect([...frame.fields.get('u')!.get('ball')!]).toEqual([0, 1]);
});

test('a mesh has triangles and positions at rest', () => {
  const mesh = meshOf(
    decode(
      message(2, 1, {}, [
        { name: 'triangles', object: 'ball', type: 'u32', components: 3, values: [0, 1, 2] },
        { name: 'rest', object: 'ball', type: 'f32', components: 3, values: [0, 0, 0, 1, 0, 0, 0, 1, 0] },
      ]),
    ),
  );
  expect([...mesh.triangles]).toEqual([0, 1, 2]);
  expect(mesh.rest).toHaveLength(9);
  expect(() => meshOf(decode(message(2, 1, {}, [])))).toThrow('a mesh without triangles or positions');
});

test('what is not a message of the server is refused', () => {
  expect(() => decode(new ArrayBuffer(8))).toThrow('less than 16 bytes');
  expect(() => decode(new ArrayBuffer(32))).toThrow('without the mark');
  const whole = frameMessage(1, 1, { ball: [1, 2, 3] });
  expect(() => decode(whole.slice(0, whole.byteLength - 4))).toThrow('ends within its block');
  expect(() => decode(whole.slice(0, 40))).toThrow('ends within its description');
});
