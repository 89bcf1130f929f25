import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const tests = fileURLToPath(new URL('..', import.meta.url));
// Tools that make pictures and measure; they are no tests.
const tools = ['browser/pictures.ts', 'browser/latency.ts'];

test('tests wait for states, and the only time they know is their patience', () => {
  const ownTime = /waitForTimeout|setTimeout\(|[tT]imeout[:=(] *\d/;
  expect(ownTime.test('await page.waitForTimeout(300)') && ownTime.test('{ timeout: 5000 }')).toBe(true);
  const files = ['browser', 'unit'].flatMap((folder) => readdirSync(tests + folder).map((name) => `${folder}/${name}`));
  expect(files.length).toBeGreaterThan(15);
  for (const file of files)
    if (!tools.includes(file) && file !== 'unit/patience.test.ts')
      expect(readFileSync(tests + file, 'utf8').match(ownTime)?.[0], file).toBeUndefined();
});
