/** All values with keys in a part of the document, for the timeline. */

import { isObject, type Json, type Path } from './json';
import { isKeyed, keysOf } from './keyed';

export interface Track {
  path: Path;
  label: string;
  frames: number[];
}

export function tracksOf(root: Json | undefined, at: Path = []): Track[] {
  if (isKeyed(root)) return [{ path: at, label: labelOf(at), frames: keysOf(root).map(([frame]) => frame) }];
  if (Array.isArray(root)) return root.flatMap((item, i) => tracksOf(item, [...at, i]));
  if (isObject(root)) return Object.entries(root).flatMap(([key, value]) => tracksOf(value, [...at, key]));
  return [];
}

function labelOf(path: Path): string {
  const steps = path[0] === 'objects' || path[0] === 'contacts' ? path.slice(2) : path;
  return steps
    .filter((step) => step !== 'transform')
    .join(' ')
    .replaceAll('_', ' ');
}

/** The nearest frame with a key after (1) or before (-1) the given one. */
export function neighbourKey(tracks: readonly Track[], frame: number, way: 1 | -1): number | null {
  const frames = tracks.flatMap((track) => track.frames).filter((f) => way * (f - frame) > 0);
  return frames.length === 0 ? null : way > 0 ? Math.min(...frames) : Math.max(...frames);
}
