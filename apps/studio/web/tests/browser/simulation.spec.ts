/** A scene whose method depends on time: every test goes on where the one before has stopped. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useStudio } from './fixture';
import { andShown, goTo, openDemo, positions, shown } from './harness';
import { expectLikeRun } from './knead';

const falling = {
  knead: 1,
  frames: [1, 12],
  fps: 50,
  step: 0.01,
  method: 'dynamics',
  objects: [
    {
      name: 'cube',
      mesh: { box: { size: [0.2, 0.2, 0.2], cells: [2, 2, 2] } },
      transform: { translate: [0, 0.13, 0] },
      body: { type: 'rigid', velocity: [0.1, 0, 0] },
    },
    { name: 'floor', mesh: { grid: { size: [2, 2], cells: [4, 4] } }, rigid: true },
  ],
};

const studio = useStudio((folder) => {
  writeFileSync(join(folder, 'falling.json'), JSON.stringify(falling));
  return ['falling.json'];
});
const scenePath = join(studio.folder.path, 'falling.json');
let page: Page;
let problems: string[];

beforeAll(async () => {
  ({ page, problems } = await studio.open(1100, 720));
  await shown(page);
});

async function save(): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !document.title.startsWith('•'));
}

const ranges = () => page.evaluate(() => window.kneadStudio!.solved()?.report.simulation?.ranges);
const bars = () => page.locator('.computed span').evaluateAll((all) => all.map((bar) => (bar as HTMLElement).title));

test('frames are those of knead run, and the timeline shows which are computed', async () => {
  await goTo(page, 8);
  await expectLikeRun(page, scenePath, 8);
  expect(await ranges()).toEqual([[1, 8]]);
  await expect.poll(bars).toEqual(['Frames 1 to 8 are computed']);
  // Back and on again.
  await goTo(page, 3);
  await expectLikeRun(page, scenePath, 3);
  expect(await ranges()).toEqual([[1, 8]]);
  await goTo(page, 10);
  await expectLikeRun(page, scenePath, 10);
});

test('the read-out has the report of the simulation', async () => {
  await page.locator('.simulation-report').getByText('steps').waitFor();
  const report = page.locator('.contact-report');
  expect(await report.locator('h3').allTextContents()).toEqual(['cube · floor']);
  const depth = await report.locator('tr').filter({ hasText: 'depth' }).locator('td').allTextContents();
  expect(Number(depth[1])).toBe(0);
});

test('playing shows frames as they are computed', async () => {
  await goTo(page, 1);
  await page.locator('canvas').focus();
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.kneadStudio!.solved()?.report.simulation?.ranges[0][1] === 12);
  // Round again.
  await page.waitForFunction(() => (window.kneadStudio!.solved()?.report.frame ?? 99) < 6);
  await page.keyboard.press('Space');
  await page.evaluate(() => window.kneadStudio!.settled());
  expect(await ranges()).toEqual([[1, 12]]);
});

test('an edit starts again', async () => {
  await goTo(page, 5);
  await page.getByRole('button', { name: 'cube', exact: true }).click();
  const place = page.getByRole('spinbutton', { name: 'Place x' });
  await place.fill('0.3');
  await andShown(page, () => place.press('Enter'));
  await shown(page, 5);
  expect(await ranges()).toEqual([[1, 5]]);
  await save();
  expect(JSON.parse(readFileSync(scenePath, 'utf8')).objects[0].transform.translate[0]).toBe(0.3);
  await expectLikeRun(page, scenePath, 5);
});

test('what cannot be simulated is said, and the last result stays', async () => {
  const before = await positions(page, 'cube');
  const place = page.getByRole('spinbutton', { name: 'Place y' });
  await place.fill('0.05');
  await place.press('Enter');
  await page.locator('.banner').getByText('cube').waitFor();
  await page.locator('.banner').getByText('The last good result is shown').waitFor();
  expect(await positions(page, 'cube')).toEqual(before);
  await page.locator('body').click({ position: { x: 300, y: 5 } });
  await page.keyboard.press('Control+z');
  await page.locator('.banner').waitFor({ state: 'hidden' });
  expect(await ranges()).toEqual([[1, 5]]);
});

test('the method is chosen with the settings of the scene', async () => {
  await page.keyboard.press('Escape');
  const method = page.getByRole('combobox', { name: 'Method' });
  expect(await method.inputValue()).toBe('dynamics');
  expect(await method.locator('option').allTextContents()).toEqual(['deform', 'dynamics', 'implicit']);
  await andShown(page, () => method.selectOption('deform'));
  await page.waitForFunction(() => !window.kneadStudio!.solved()?.report.simulation);
  await expect.poll(bars).toEqual([]);
  await andShown(page, () => method.selectOption('dynamics'));
  await page.waitForFunction(() => Boolean(window.kneadStudio!.solved()?.report.simulation));
});

test('a long simulation is watched on its way, and left', async () => {
  await save();
  await openDemo(page, 'squeezed-ball');
  // Further than any machine gets meanwhile.
  const farAway = 9000;
  await page.getByRole('spinbutton', { name: 'Last frame' }).fill(String(farAway));
  await page.keyboard.press('Enter');
  await page.getByRole('spinbutton', { name: 'Frame number' }).fill(String(farAway));
  await page.getByRole('spinbutton', { name: 'Frame number' }).press('Enter');
  const reached = () => page.evaluate(() => window.kneadStudio!.solved()?.report.frame ?? 0);
  await page.locator('.on-the-way').getByText(/^at \d+ …$/).waitFor();
  expect(await page.evaluate(() => window.kneadStudio!.solved()?.report.on_the_way)).toBe(true);
  await page.waitForFunction(() => (window.kneadStudio!.solved()?.report.frame ?? 0) > 5);
  expect(await reached()).toBeLessThan(farAway);
  const computed = (await bars())[0];
  await goTo(page, 2);
  await page.evaluate(() => window.kneadStudio!.settled());
  expect(await page.locator('.on-the-way').textContent()).toBe('');
  // What was computed is still there.
  const last = Number(computed.match(/to (\d+)/)![1]);
  expect((await ranges())![0][1]).toBeGreaterThanOrEqual(last);
});

test('nothing went wrong on the page', () => {
  expect(problems).toEqual([]);
});
