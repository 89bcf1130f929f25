/** The colours of objects and fields: the same as in the pictures of `knead render`. */

export type Rgb = [number, number, number];

const palette = ['#e0997a', '#7a9fc6', '#e3cc85', '#5c9c8b', '#8f6ba8', '#d6d1c8', '#a65c57', '#566488'];
const sequential = ['#f1e9da', '#f6c690', '#ee8a68', '#cb4b70', '#872c76', '#3b1f5e'];
const diverging = ['#1f3f7a', '#3f7fb5', '#98c3dc', '#f1eee8', '#f0b08c', '#cc5f4c', '#7a1f33'];
const noValue: Rgb = [0.32, 0.32, 0.32];
const tableSize = 256;

function parse(hex: string): Rgb {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255) as Rgb;
}

export function linearFromSrgb(s: number): number {
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

export function paletteColor(index: number): Rgb {
  return parse(palette[index % palette.length]);
}

export function cssColor(rgb: Rgb): string {
  return `rgb(${rgb.map((c) => Math.round(255 * c)).join(' ')})`;
}

function makeTable(controls: string[]): Float32Array {
  const table = new Float32Array(3 * tableSize);
  const colors = controls.map(parse);
  for (let i = 0; i < tableSize; ++i) {
    const at = (i / (tableSize - 1)) * (colors.length - 1);
    const first = Math.min(Math.floor(at), colors.length - 2);
    for (let c = 0; c < 3; ++c) {
      const srgb = colors[first][c] + (at - first) * (colors[first + 1][c] - colors[first][c]);
      table[3 * i + c] = linearFromSrgb(srgb);
    }
  }
  return table;
}

const sequentialTable = makeTable(sequential);
const divergingTable = makeTable(diverging);

/** Which colour stands for which value. With values on both sides of 0, 0 has the neutral colour. */
export interface Scale {
  low: number;
  high: number;
}

export function isDiverging(scale: Scale): boolean {
  return scale.low < 0 && scale.high > 0;
}

export function parameter(scale: Scale, value: number): number {
  const clamped = Math.min(Math.max(value, scale.low), scale.high);
  if (isDiverging(scale)) return 0.5 + (0.5 * clamped) / Math.max(-scale.low, scale.high);
  return scale.high > scale.low ? (clamped - scale.low) / (scale.high - scale.low) : 0;
}

/** Writes linear colours for the values; what is not a number is grey. */
export function colorize(values: Float32Array, scale: Scale, colors: Float32Array): void {
  const table = isDiverging(scale) ? divergingTable : sequentialTable;
  for (let i = 0; i < values.length; ++i) {
    if (Number.isNaN(values[i])) {
      colors.set(noValue, 3 * i);
      continue;
    }
    const entry = 3 * Math.round(parameter(scale, values[i]) * (tableSize - 1));
    colors[3 * i] = table[entry];
    colors[3 * i + 1] = table[entry + 1];
    colors[3 * i + 2] = table[entry + 2];
  }
}

/** The scale widened by values; null begins anew. */
export function widened(scale: Scale | null, values: Iterable<Float32Array>): Scale | null {
  let low = scale?.low ?? Infinity;
  let high = scale?.high ?? -Infinity;
  for (const list of values)
    for (const value of list) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return low <= high ? { low, high } : null;
}

/** The colours of the legend from its lowest to its highest value, for CSS. */
export function legendStops(scale: Scale): string {
  if (!isDiverging(scale)) return sequential.join(', ');
  const stops = [];
  for (let i = 0; i <= 10; ++i) {
    const value = scale.low + (i / 10) * (scale.high - scale.low);
    const at = parameter(scale, value) * (diverging.length - 1);
    const first = Math.min(Math.floor(at), diverging.length - 2);
    const [a, b] = [parse(diverging[first]), parse(diverging[first + 1])];
    stops.push(cssColor(a.map((x, c) => x + (at - first) * (b[c] - x)) as Rgb));
  }
  return stops.join(', ');
}
