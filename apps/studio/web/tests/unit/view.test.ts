import { expect, test } from 'vitest';
import { colorize, legendStops, parameter, widened } from '../../src/view/colors';
import { boundsOf, distanceToVertices, isClosed, pointOnFace, vertexNormals } from '../../src/view/geometry';

const corners = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
const tetrahedron = new Uint32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);

test('normals point outwards and have length 1', () => {
  const normals = new Float32Array(12);
  vertexNormals(corners, tetrahedron, normals);
  expect(normals[3]).toBeGreaterThan(0.5);
  expect(Math.hypot(...normals.subarray(0, 3))).toBeCloseTo(1, 6);
});

test('a surface is closed when every edge has two faces', () => {
  expect(isClosed(tetrahedron)).toBe(true);
  expect(isClosed(tetrahedron.subarray(0, 9))).toBe(false);
});

test('boxes, points on faces and distances', () => {
  expect(boundsOf([corners])).toEqual({ low: [0, 0, 0], high: [1, 1, 1] });
  expect(boundsOf([])).toBeNull();
  expect(pointOnFace(corners, [1, 2, 3], [0.5, 0.25, 0.25])).toEqual([0.5, 0.25, 0.25]);
  expect(distanceToVertices(corners, [2, 0, 0])).toBe(1);
});

test('zero has the neutral colour where there are both signs', () => {
  expect(parameter({ low: -1, high: 3 }, 0)).toBe(0.5);
  expect(parameter({ low: 0, high: 4 }, 1)).toBe(0.25);
  expect(parameter({ low: 2, high: 2 }, 2)).toBe(0);
  const colors = new Float32Array(6);
  colorize(new Float32Array([0, NaN]), { low: -1, high: 1 }, colors);
  expect(colors[0]).toBeGreaterThan(0.8);
  expect(colors[3]).toBeCloseTo(0.32, 5);
  expect(legendStops({ low: -1, high: 1 }).split(', ')).toHaveLength(11);
});

test('a scale grows with what is seen and leaves out what is no number', () => {
  const first = widened(null, [new Float32Array([1, NaN, 2])]);
  expect(first).toEqual({ low: 1, high: 2 });
  expect(widened(first, [new Float32Array([-1])])).toEqual({ low: -1, high: 2 });
  expect(widened(null, [new Float32Array([NaN])])).toBeNull();
});
