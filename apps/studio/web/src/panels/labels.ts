/** Words for controls: the scene file's keys, readable. */

import type { Control } from '../link/protocol';

const words: Record<string, string> = {
  'profile.bulge_at': 'Bulge at',
  'profile.end_at': 'End at',
  'profile.wrinkles.amplitude': 'Wrinkle height',
  'profile.wrinkles.waves': 'Wrinkle waves',
  'anisotropy.omega': 'Direction weight (omega)',
  'anisotropy.psi': 'Spread (psi)',
};

export function labelOf(path: string): string {
  const text = words[path] ?? path.split('.').join(' ').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const groupTitles: Record<string, string> = {
  deform: 'Deformation',
  bulge: 'Bulge',
  profile: 'Profile',
  surface: 'Surface',
  contact: 'Contact',
};

export interface SliderRange {
  low: number;
  high: number;
  step: number;
}

/** Where a slider goes; lengths without limits follow the size of the object. */
export function sliderRange(control: Control, size: number): SliderRange {
  const unit = control.unit === 'length' ? size : 1;
  const low = control.low ?? (control.unit === 'degrees' ? -180 : -unit);
  const usual = typeof control.default === 'number' ? 4 * Math.abs(control.default) : 0;
  const high = control.high ?? (control.unit === 'degrees' ? 180 : Math.max(usual, unit, low + unit));
  const step = control.kind === 'integer' ? 1 : (control.step ?? (high - low) / 200);
  return { low, high, step };
}
