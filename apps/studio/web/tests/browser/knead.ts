/** What `knead run` writes, to compare the page with. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { positions, program, temporaryFolder } from './harness';

export function readObj(path: string): number[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter((line) => line.startsWith('v '));
  return lines.flatMap((line) => line.split(/\s+/).slice(1, 4).map(Number));
}

/** Positions of every object at a frame, rounded to single as they travel to the page. */
function run(scene: string, frame: number): Map<string, number[]> {
  const folder = temporaryFolder();
  execFileSync(program, ['run', scene, '--frames', `${frame}:${frame}`, '--out', folder.path, '--quiet']);
  const result = new Map<string, number[]>();
  for (const file of readdirSync(folder.path))
    if (file.endsWith('.obj')) result.set(file.split('.')[0], readObj(join(folder.path, file)).map(Math.fround));
  folder.remove();
  return result;
}

/** The page shows what is written for a frame of the scene. */
export async function expectLikeRun(page: Page, scene: string, frame: number): Promise<void> {
  const expected = run(scene, frame);
  expect(expected.size).toBeGreaterThan(0);
  for (const [name, values] of expected) expect(await positions(page, name), name).toEqual(values);
}
