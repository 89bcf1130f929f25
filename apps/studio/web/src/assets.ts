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

/** A name that the server takes: letters, digits, dot, underscore and dash. */
export function safeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return safe.length > 100 ? safe.slice(safe.length - 100) : safe || 'file';
}

export function csvOf(values: ArrayLike<number>): Uint8Array {
  return new TextEncoder().encode(Array.from(values, (value) => String(value)).join('\n') + '\n');
}

export const meshEndings = ['.obj', '.ply', '.glb', '.gltf', '.stl', '.off'];

export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}
