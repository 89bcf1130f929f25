/** The artist's other tools, on a ball and a floor. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useStudio } from './fixture';
import { andShown, dragSlider, goTo, openDemo, positions, shown } from './harness';

const studio = useStudio();
let page: Page;
let problems: string[];

beforeAll(async () => {
  ({ page, problems } = await studio.open(1100, 720));
  await openDemo(page, 'sphere-on-plane');
  await goTo(page, 24);
});

async function saved(): Promise<{ objects: Record<string, any>[]; contacts?: Record<string, any>[] }> {
  await page.waitForFunction(() => document.title.startsWith('•'));
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !document.title.startsWith('•'));
  return JSON.parse(readFileSync(join(studio.folder.path, 'sphere-on-plane.json'), 'utf8'));
}

const canvasMiddle = async (): Promise<[number, number]> => {
  const box = (await page.locator('canvas').boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
};

test('a preset moves its numbers together, and reset takes it back', async () => {
  const before = await positions(page, 'ball');
  await andShown(page, () => page.getByRole('combobox', { name: 'Preset' }).selectOption('cushion'));
  expect(await positions(page, 'ball')).not.toEqual(before);
  await expect.poll(() => page.getByRole('spinbutton', { name: 'Softness, number' }).inputValue()).toBe('0.8');
  await andShown(page, () => page.getByRole('button', { name: 'Preset: back to default' }).click());
  expect(await positions(page, 'ball')).toEqual(before);
});

test('the points of the profile are dragged, and moved with keys', async () => {
  await page.getByText('Profile', { exact: true }).click();
  const point = page.getByRole('slider', { name: 'Bulge: where it is and how high' });
  await point.scrollIntoViewIfNeeded();
  const box = (await point.boundingBox())!;
  await andShown(page, async () => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 50, box.y - 10, { steps: 5 });
    await page.mouse.up();
  });
  const dragged = (await saved()).objects[0];
  expect(dragged.profile.bulge_at).toBeGreaterThan(0.45);
  expect(dragged.bulge).toBeGreaterThan(1.05);
  await page.getByRole('slider', { name: 'End: from where the surface is level' }).focus();
  await andShown(page, () => page.keyboard.press('ArrowRight'));
  expect((await saved()).objects[0].profile.end_at).toBeCloseTo(0.843, 3);
});

test('fields are shown in colours with a legend', async () => {
  await andShown(page, () => page.getByRole('combobox', { name: 'Colour by' }).selectOption('u'));
  await page.getByRole('img', { name: /from 0 to 1$/ }).waitFor();
  await andShown(page, () => page.getByRole('combobox', { name: 'Colour by' }).selectOption('displacement'));
  await page.getByRole('img', { name: /displacement from 0 to 0\.\d+$/ }).waitFor();
  await andShown(page, () => page.getByRole('combobox', { name: 'Colour by' }).selectOption(''));
  await expect.poll(() => page.locator('.legend').isVisible()).toBe(false);
});

test('the mapping direction is turned with its arrow, and returned to automatic', async () => {
  await page.getByRole('button', { name: 'ball · floor' }).click();
  await page.waitForTimeout(200);
  const [x, y] = await canvasMiddle();
  const given = () => page.getByRole('spinbutton', { name: 'Direction x' }).inputValue();
  // The arrow points up from the contact, somewhere in the middle column of the view.
  for (let at = y - 200; at < y + 200 && (await given()) === ''; at += 16) {
    await page.mouse.move(x, at);
    await page.mouse.down();
    await page.mouse.move(x + 6, at);
    if (await given()) await page.mouse.move(x + 60, at + 10, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(60);
  }
  const direction = (await saved()).contacts![0].direction as number[];
  expect(Math.hypot(...direction)).toBeCloseTo(1, 3);
  expect(direction[0]).toBeGreaterThan(0.05);
  await andShown(page, () => page.getByRole('button', { name: 'Direction: automatic' }).click());
  expect((await saved()).contacts![0].direction).toBeUndefined();
});

test('a symmetric stroke is two, and the whole map is inverted, filled and cleared', async () => {
  await page.getByRole('button', { name: 'ball', exact: true }).click();
  await page.keyboard.press('b');
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Control' }).selectOption('bulge');
  await page.getByRole('group', { name: 'Symmetry' }).getByRole('button', { name: 'X' }).click();
  const [x, y] = await canvasMiddle();
  await andShown(page, async () => {
    await page.mouse.move(x + 40, y - 30);
    await page.mouse.down();
    await page.mouse.up();
  });
  const strokes = (await saved()).objects[0].attributes.bulge_map.strokes;
  expect(strokes).toHaveLength(2);
  expect(strokes[1].at[0]).toBeCloseTo(-strokes[0].at[0], 6);
  const field = () => page.evaluate(() => Array.from(window.kneadStudio!.solved()!.fields.get('bulge_map')?.get('ball') ?? []));
  await expect.poll(async () => Math.max(...(await field()))).toBeGreaterThan(0.9);
  const before = await field();
  await andShown(page, () => page.getByRole('button', { name: 'Invert' }).click());
  const turned = await field();
  expect(turned.every((value, i) => Math.abs(value - (1 - before[i])) < 1e-6)).toBe(true);
  await andShown(page, () => page.getByRole('button', { name: 'Clear' }).click());
  expect((await field()).every((value) => value === 0)).toBe(true);
  await andShown(page, () => page.getByRole('button', { name: 'Fill' }).click());
  expect((await field()).every((value) => value === 1)).toBe(true);
});

test('where both sides of a symmetric stroke meet, it is painted once', async () => {
  const set = async (name: string, value: string) => {
    const number = page.getByRole('spinbutton', { name: `${name}, number` });
    await number.fill(value);
    await number.press('Enter');
  };
  const operation = (name: string) => page.getByRole('group', { name: 'Operation' }).getByRole('button', { name }).click();
  const field = () => page.evaluate(() => Array.from(window.kneadStudio!.solved()!.fields.get('bulge_map')?.get('ball') ?? []));
  await andShown(page, () => page.getByRole('button', { name: 'Clear' }).click());
  const size = await page.getByRole('spinbutton', { name: 'Size, number' }).inputValue();
  await set('Size', '0.9');
  await set('Value', '0.5');
  await operation('Add');
  const [x, y] = await canvasMiddle();
  await andShown(page, async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
  });
  await expect.poll(async () => Math.max(...(await field()))).toBeCloseTo(0.5, 3);
  expect((await saved()).objects[0].attributes.bulge_map).toEqual({ base: 'ball-bulge_map.csv', strokes: [] });
  for (const [name, value] of [['Size', size], ['Value', '1']]) await set(name, value);
  await operation('Set');
});

test('the ring is around what the stroke then touches', async () => {
  await andShown(page, () => page.getByRole('button', { name: 'Clear' }).click());
  await page.getByRole('group', { name: 'Symmetry' }).getByRole('button', { name: 'Off' }).click();
  const [x, y] = await canvasMiddle();
  await page.mouse.move(x + 35, y - 25);
  await page.mouse.move(x + 40, y - 30);
  const reached = () => page.evaluate(() => Array.from(window.kneadStudio!.brush('ball')!, (reach) => reach < 1));
  await expect.poll(async () => (await reached()).filter(Boolean).length).toBeGreaterThan(20);
  await page.waitForTimeout(300);
  const ring = await reached();
  await andShown(page, async () => {
    await page.mouse.down();
    await page.mouse.up();
  });
  const field = () => page.evaluate(() => Array.from(window.kneadStudio!.solved()!.fields.get('bulge_map')?.get('ball') ?? []));
  await expect.poll(async () => Math.max(...(await field()))).toBeGreaterThan(0.9);
  // The stroke is written down with six digits.
  const touched = (await field()).map((value) => value > 0);
  expect(touched.filter((is, v) => is !== ring[v]).length).toBeLessThan(3);
});

test('the ends of a map have keys of their own', async () => {
  await andShown(page, () => page.getByRole('button', { name: 'Bulge, at 1: set a key at this frame' }).click());
  const { bulge } = (await saved()).objects[0];
  expect(bulge.high.keys).toHaveLength(1);
  await andShown(page, () => page.getByRole('button', { name: 'Bulge, at 1: delete the key at this frame' }).click());
});

test('the radial brush paints the ways out of a contact, and the local one goes on from there', async () => {
  await andShown(page, () => page.getByRole('button', { name: 'Clear' }).click());
  await page.getByRole('group', { name: 'Symmetry' }).getByRole('button', { name: 'Off' }).click();
  await page.getByRole('group', { name: 'Brush' }).getByRole('button', { name: 'Radial' }).click();
  const [x, y] = await canvasMiddle();
  const field = () => page.evaluate(() => Array.from(window.kneadStudio!.solved()!.fields.get('bulge_map')?.get('ball') ?? []));
  await andShown(page, async () => {
    await page.mouse.move(x, y + 60);
    await page.mouse.down();
    await page.mouse.up();
  });
  await expect.poll(async () => Math.max(...(await field())), { timeout: 8000 }).toBeGreaterThan(0.5);
  const radial = (await field()).filter((value) => value > 0.01).length;
  expect((await saved()).objects[0].attributes.bulge_map.base).toBe('ball-bulge_map.csv');
  await page.getByRole('group', { name: 'Brush' }).getByRole('button', { name: 'Local' }).click();
  await andShown(page, async () => {
    await page.mouse.move(x - 30, y - 30);
    await page.mouse.down();
    await page.mouse.up();
  });
  await expect.poll(async () => (await field()).filter((value) => value > 0.01).length).toBeGreaterThan(radial);
  expect((await saved()).objects[0].attributes.bulge_map).toMatchObject({ base: 'ball-bulge_map.csv', strokes: [{}] });
});

test('a shape is placed, and taken away again', async () => {
  await andShown(page, () => page.getByRole('button', { name: '+ torus' }).click());
  expect((await positions(page, 'torus')).length).toBeGreaterThan(1000);
  await andShown(page, () => page.keyboard.press('Control+z'));
  expect(await positions(page, 'torus')).toEqual([]);
  await page.getByRole('button', { name: 'ball', exact: true }).click();
});

test('the space bar plays frame after frame', async () => {
  await page.locator('canvas').focus();
  await page.keyboard.press('Space');
  await page.waitForFunction(() => Math.abs(window.kneadStudio!.solved()!.report.frame - 24) >= 3, null, { timeout: 20_000 });
  await page.keyboard.press('Space');
  await page.evaluate(() => window.kneadStudio!.settled());
  const frame = () => page.evaluate(() => window.kneadStudio!.solved()!.report.frame);
  const stopped = await frame();
  await page.waitForTimeout(300);
  expect(await frame()).toBe(stopped);
});

test('a second tab has a scene of its own', async () => {
  const second = await page.context().newPage();
  second.setDefaultTimeout(10_000);
  await second.goto(studio.server.url);
  await second.getByRole('button', { name: /^sphere-on-plane\.json/ }).click();
  await shown(second);
  const before = await positions(second, 'ball');
  await page.keyboard.press('w');
  await andShown(page, () => dragSlider(page, 'Softness', 0.9));
  await saved();
  await second.keyboard.press('ArrowRight');
  await shown(second, 2);
  await second.keyboard.press('ArrowLeft');
  await shown(second, 1);
  expect(await positions(second, 'ball')).toEqual(before);
  await second.close();
});

test('the page had no errors', () => {
  expect(problems).toEqual([]);
});
