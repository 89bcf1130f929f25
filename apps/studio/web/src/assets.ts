/** Bytes that belong to the document, told apart by their hash. */

/** Two 32-bit FNV-1a sums with different starts: enough to tell a user's files apart. */
export function hashOf(bytes: Uint8Array): string {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f ^ bytes.length;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x01000193) ^ (a >>> 15);
  }
  return [a, b].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('');
}

/** A name that the server takes: letters, digits, dot, underscore and dash, with an ending in small letters. */
export function safeName(name: string): string {
  const ending = endingOf(name);
  const safe = (name.slice(0, name.length - ending.length) + ending).replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return safe.length > 100 ? safe.slice(safe.length - 100) : safe || 'file';
}

/** The name of a file that is new in the document: another one where a different file has that name already. */
export function freeAsset(name: string, hash: string, assets: Readonly<Record<string, string>>, used: ReadonlySet<string>): string {
  const safe = safeName(name);
  const ending = endingOf(safe);
  const stem = safe.slice(0, safe.length - ending.length);
  let free = safe;
  for (let i = 2; free in assets ? assets[free] !== hash : used.has(free); ++i) free = `${stem}-${i}${ending}`;
  return free;
}

export function csvOf(values: ArrayLike<number>): Uint8Array {
  return new TextEncoder().encode(Array.from(values, (value) => String(value)).join('\n') + '\n');
}

export const meshEndings = ['.obj', '.ply', '.glb', '.gltf', '.stl', '.off'];

export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}
