/** All values with keys in a part of the document, for the timeline. */

import { isObject, type Json, type Path } from './json';
import { isKeyed, keysOf } from './keyed';

export interface Track {
  path: Path;
  label: string;
  frames: number[];
}

/** `words` lead to the part: what is said of it that its reader does not know. */
export function tracksOf(root: Json | undefined, at: Path = [], words: string[] = []): Track[] {
  if (isKeyed(root)) return [{ path: at, label: words.join(' ').replaceAll('_', ' '), frames: keysOf(root).map(([frame]) => frame) }];
  if (Array.isArray(root))
    // Of objects and contacts it is known which; a joint has a name.
    return root.flatMap((item, i) => {
      const name = isObject(item) && typeof item.name === 'string' ? item.name : String(i);
      return tracksOf(item, [...at, i], at.length === 1 ? [] : [name]);
    });
  if (isObject(root))
    return Object.entries(root).flatMap(([key, value]) => tracksOf(value, [...at, key], key === 'transform' ? words : [...words, key]));
  return [];
}

/** The nearest frame with a key after (1) or before (-1) the given one. */
export function neighbourKey(tracks: readonly Track[], frame: number, way: 1 | -1): number | null {
  const frames = tracks.flatMap((track) => track.frames).filter((f) => way * (f - frame) > 0);
  return frames.length === 0 ? null : way > 0 ? Math.min(...frames) : Math.max(...frames);
}
