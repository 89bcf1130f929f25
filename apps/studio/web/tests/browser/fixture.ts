/** A studio for the tests of one file. */

import { afterAll, beforeAll } from 'vitest';
import { Studio } from './harness';

/** Started before the first test, and gone after the last; `prepare` puts files into its folder and answers the command line. */
export function useStudio(prepare: (folder: string) => string[] = () => []): Studio {
  const studio = new Studio();
  beforeAll(() => studio.start(...prepare(studio.folder.path)));
  afterAll(() => studio.stop());
  return studio;
}
