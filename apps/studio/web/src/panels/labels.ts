/** Words for controls: the scene file's keys, readable. */

import type { Control } from '../link/protocol';

const words: Record<string, string> = {
  'profile.bulge_at': 'Bulge at',
  'profile.end_at': 'End at',
  'profile.wrinkles.amplitude': 'Wrinkle height',
  'profile.wrinkles.waves': 'Wrinkle waves',
  'anisotropy.omega': 'Direction weight (omega)',
  'anisotropy.psi': 'Spread (psi)',
  'field.radius': 'Radius',
  'field.influence': 'Influence',
  'field.stiffness': 'Stiffness',
  'field.law': 'Law',
  'field.kind': 'Kind of field',
  'propagation.width': 'Bulge width',
  'propagation.attenuation': 'Bulge height',
  'propagation.compressibility': 'Compressibility',
};

export function labelOf(path: string): string {
  const text = words[path] ?? path.split('.').join(' ').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const units: Record<string, string> = { length: 'a length in the units of the scene', degrees: 'degrees' };

/** What a control does, in what unit, and which numbers it takes. */
export function hintOf(control: Control): string {
  const least = control.least ?? null;
  const most = control.most ?? null;
  const range =
    least !== null && most !== null
      ? `${least} to ${most}`
      : least === null
        ? null
        : control.least_included === false
          ? `more than ${least}`
          : `at least ${least}`;
  const fallback =
    typeof control.default === 'number'
      ? `default ${Number(control.default.toPrecision(3))}`
      : control.default === 'auto'
        ? 'default automatic'
        : null;
  const facts = control.kind === 'number' || control.kind === 'vector' ? [units[control.unit] ?? null, range, fallback] : [];
  const told = facts.filter((fact) => fact !== null).join(', ');
  return told ? `${control.hint} (${told})` : control.hint;
}

export const groupTitles: Record<string, string> = {
  deform: 'Deformation',
  bulge: 'Bulge',
  profile: 'Profile',
  surface: 'Surface',
  implicit: 'Implicit solid',
  contact: 'Contact',
};

export interface SliderRange {
  low: number;
  high: number;
  step: number;
}

/** Ranges of lengths are meant for an object as large as a ball of radius 1. */
const usualSize = 2;

/** Where a slider goes; one for a length follows the size of the object. */
export function sliderRange(control: Control, size: number): SliderRange {
  const factor = control.unit === 'length' ? lengthFactor(size) : 1;
  const low = (control.low ?? 0) * factor;
  const high = (control.high ?? 1) * factor;
  const step = control.kind === 'integer' ? 1 : (control.step ?? 0.01) * factor;
  return { low, high, step };
}

// In powers of ten and their halves, so that steps stay round; about the usual size nothing changes.
function lengthFactor(size: number): number {
  const ratio = size / usualSize;
  if (!(ratio > 0) || (ratio > 0.4 && ratio < 2.5)) return 1;
  const ten = 10 ** Math.floor(Math.log10(ratio));
  return ratio / ten >= 5 ? 5 * ten : ratio / ten >= 2 ? 2 * ten : ten;
}
