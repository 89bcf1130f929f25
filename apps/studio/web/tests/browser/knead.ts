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

interface Written {
  positions: Map<string, number[]>; // of every object, rounded to single as they travel to the page
  notes: string[]; // about contacts
}

function run(scene: string, frame: number): Written {
  const folder = temporaryFolder();
  execFileSync(program, ['run', scene, '--frames', `${frame}:${frame}`, '--out', folder.path, '--quiet']);
  const written: Written = { positions: new Map(), notes: [] };
  for (const file of readdirSync(folder.path))
    if (file.endsWith('.obj')) written.positions.set(file.split('.')[0], readObj(join(folder.path, file)).map(Math.fround));
  const report = JSON.parse(readFileSync(join(folder.path, 'report.json'), 'utf8')) as { frames: { contacts?: { note?: string }[] }[] };
  for (const { note } of report.frames[0].contacts ?? []) if (note) written.notes.push(note);
  folder.remove();
  return written;
}

/** The page shows what is written for a frame of the scene, and tells the first notes about it, when all is measured. */
export async function expectLikeRun(page: Page, scene: string, frame: number): Promise<void> {
  const expected = run(scene, frame);
  expect(expected.positions.size).toBeGreaterThan(0);
  for (const [name, values] of expected.positions) expect(await positions(page, name), name).toEqual(values);
  const told = expected.notes.slice(0, 3).map((note) => expect.stringContaining(note) as string);
  await expect.poll(() => page.locator('.warnings button').allTextContents()).toEqual(told);
}
