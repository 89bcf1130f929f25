/** Small computations on triangle lists, in the layout that the graphics card reads. */

/** Normals of vertices, weighted by the areas of the faces. */
export function vertexNormals(positions: Float32Array, triangles: Uint32Array, normals: Float32Array): void {
  normals.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    normals[a] += nx;
    normals[a + 1] += ny;
    normals[a + 2] += nz;
    normals[b] += nx;
    normals[b + 1] += ny;
    normals[b + 2] += nz;
    normals[c] += nx;
    normals[c + 1] += ny;
    normals[c + 2] += nz;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const [x, y, z] = [normals[i], normals[i + 1], normals[i + 2]];
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    normals[i] = x / length;
    normals[i + 1] = y / length;
    normals[i + 2] = z / length;
  }
}

/** Whether every edge has a face on both sides, so that there is an inside to cut open. */
export function isClosed(triangles: Uint32Array): boolean {
  const edges = new Set<number>();
  let vertices = 0;
  for (const v of triangles) vertices = Math.max(vertices, v + 1);
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; ++k) {
      const from = triangles[t + k];
      const to = triangles[t + ((k + 1) % 3)];
      if (!edges.delete(to * vertices + from)) edges.add(from * vertices + to);
    }
  return edges.size === 0;
}

export interface Bounds {
  low: [number, number, number];
  high: [number, number, number];
}

export function boundsOf(lists: Iterable<Float32Array>): Bounds | null {
  const low: Bounds['low'] = [Infinity, Infinity, Infinity];
  const high: Bounds['high'] = [-Infinity, -Infinity, -Infinity];
  for (const list of lists)
    for (let i = 0; i < list.length; i += 3)
      for (let c = 0; c < 3; ++c) {
        if (list[i + c] < low[c]) low[c] = list[i + c];
        if (list[i + c] > high[c]) high[c] = list[i + c];
      }
  return low[0] <= high[0] ? { low, high } : null;
}

/** The point with the weights of a face's corners. */
export function pointOnFace(
  positions: Float32Array,
  corners: readonly [number, number, number],
  weights: readonly [number, number, number],
): [number, number, number] {
  return [0, 1, 2].map((c) =>
    corners.reduce((sum, corner, k) => sum + weights[k] * positions[3 * corner + c], 0),
  ) as [number, number, number];
}

/** How far the nearest vertex is. */
export function distanceToVertices(positions: Float32Array, at: readonly number[]): number {
  let nearest = Infinity;
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i] - at[0];
    const y = positions[i + 1] - at[1];
    const z = positions[i + 2] - at[2];
    nearest = Math.min(nearest, x * x + y * y + z * z);
  }
  return Math.sqrt(nearest);
}
