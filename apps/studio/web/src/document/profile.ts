/** The profile curve as src/knead/bulge/profile_curve.cpp has it, for a picture of it. */

export interface ProfileShape {
  bulgeAt: number;
  endAt: number;
  amplitude: number;
  waves: number;
}

const knots = [0, 0, 0, 0, 1 / 3, 2 / 3, 1, 1, 1, 1];

function smoothstep(x: number): number {
  return x * x * (3 - 2 * x);
}

/** Basis function i of a cubic B-spline [de Boor 1978]. */
function basis(i: number, degree: number, t: number): number {
  if (degree === 0) return (knots[i] <= t && t < knots[i + 1]) || (t === 1 && knots[i] < 1 && knots[i + 1] === 1) ? 1 : 0;
  const before = knots[i + degree] - knots[i];
  const after = knots[i + degree + 1] - knots[i + 1];
  return (
    (before > 0 ? ((t - knots[i]) / before) * basis(i, degree - 1, t) : 0) +
    (after > 0 ? ((knots[i + degree + 1] - t) / after) * basis(i + 1, degree - 1, t) : 0)
  );
}

/**
 * Control points of a typical curve: it starts one deep at the zone and rises to `height`. Deep and slope are
 * the contact's own; what the artist holds is where the third and the fourth point stand.
 */
export function controlPoints(shape: ProfileShape, height: number): [number, number][] {
  const tangent = Math.min(0.12, 0.5 * shape.bulgeAt);
  const last = 0.5 * (shape.endAt + 1);
  return [[0, -1], [tangent, -1 + 4.2 * tangent], [shape.bulgeAt, height], [shape.endAt, 0], [last, 0], [1, 0]];
}

/** Points of the curve, from the zone to the end of the deformable region. */
export function profilePoints(shape: ProfileShape, height: number, count = 64): [number, number][] {
  const controls = controlPoints(shape, height);
  return Array.from({ length: count + 1 }, (_, k) => {
    const t = k / count;
    const [u, y] = controls.reduce(
      ([x, z], [cx, cy], i) => [x + basis(i, 3, t) * cx, z + basis(i, 3, t) * cy],
      [0, 0],
    );
    return [u, y - shape.amplitude * smoothstep(4 * u * (1 - u)) * Math.sin(2 * Math.PI * shape.waves * u)];
  });
}
