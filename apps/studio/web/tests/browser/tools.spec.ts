/** The artist's other tools, on a ball and a floor. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useStudio } from './fixture';
import { andShown, drag, dragSlider, drawn, goTo, onScreen, openDemo, positions, shown, type Pixel } from './harness';

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

/** One touch of the brush, beside the middle of the view. */
async function dab(dx: number, dy: number): Promise<void> {
  const [x, y] = await canvasMiddle();
  await andShown(page, async () => {
    await page.mouse.move(x + dx, y + dy);
    await page.mouse.down();
    await page.mouse.up();
  });
}

const bulgeMap = () => page.evaluate(() => Array.from(window.kneadStudio!.solved()!.fields.get('bulge_map')?.get('ball') ?? []));
const operation = (name: string) => page.getByRole('group', { name: 'Operation' }).getByRole('button', { name }).click();
const set = async (name: string, value: string) => {
  const number = page.getByRole('spinbutton', { name: `${name}, number` });
  await number.fill(value);
  await number.press('Enter');
};

test('the view is panned, zoomed, orbited, and framed again', async () => {
  const [x, y] = await canvasMiddle();
  const heights = (await positions(page, 'ball')).filter((_, i) => i % 3 === 1);
  const middle = (Math.min(...heights) + Math.max(...heights)) / 2;
  const spots = async () => [await onScreen(page, [0, middle, 0]), await onScreen(page, [0.5, middle, 0])];
  const apart = ([a, b]: Pixel[]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
  const distance = (a: Pixel, b: Pixel) => apart([a, b]);
  await page.keyboard.press('f');
  await drawn(page);
  const begin = await spots();
  const beside: Pixel = [x - 200, y + 100];
  await drag(page, beside, [60, -40], 'right');
  const panned = await spots();
  expect(distance(panned[0], [begin[0][0] + 60, begin[0][1] - 40])).toBeLessThan(2);
  expect(apart(panned) / apart(begin)).toBeCloseTo(1, 1);
  await page.mouse.wheel(0, -300);
  await expect.poll(async () => apart(await spots())).toBeGreaterThan(1.1 * apart(panned));
  await page.mouse.wheel(0, 300);
  await expect.poll(async () => apart(await spots())).toBeCloseTo(apart(panned), 0);
  await page.keyboard.press('f');
  await drag(page, beside, [-120, 0]);
  const orbited = await spots();
  expect(distance(orbited[0], begin[0])).toBeLessThan(2);
  expect(distance(orbited[1], begin[1])).toBeGreaterThan(10);
  await page.keyboard.press('v');
  await page.keyboard.press('f');
  expect(distance((await spots())[1], begin[1])).toBeLessThan(2);
});

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
  await drawn(page);
  const [x, y] = await canvasMiddle();
  const given = () => page.getByRole('spinbutton', { name: 'Direction x' }).inputValue();
  // The arrow points up from the contact, somewhere in the middle column of the view.
  for (let at = y - 200; at < y + 200 && (await given()) === ''; at += 16) {
    await page.mouse.move(x, at);
    await page.mouse.down();
    await page.mouse.move(x + 6, at);
    if (await given()) await page.mouse.move(x + 60, at + 10, { steps: 4 });
    await page.mouse.up();
    await drawn(page);
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
  await dab(40, -30);
  const strokes = (await saved()).objects[0].attributes.bulge_map.strokes;
  expect(strokes).toHaveLength(2);
  expect(strokes[1].at[0]).toBeCloseTo(-strokes[0].at[0], 6);
  await expect.poll(async () => Math.max(...(await bulgeMap()))).toBeGreaterThan(0.9);
  const before = await bulgeMap();
  await andShown(page, () => page.getByRole('button', { name: 'Invert' }).click());
  const turned = await bulgeMap();
  expect(turned.every((value, i) => Math.abs(value - (1 - before[i])) < 1e-6)).toBe(true);
  await andShown(page, () => page.getByRole('button', { name: 'Clear' }).click());
  expect((await bulgeMap()).every((value) => value === 0)).toBe(true);
  await andShown(page, () => page.getByRole('button', { name: 'Fill' }).click());
  expect((await bulgeMap()).every((value) => value === 1)).toBe(true);
});

test('where both sides of a symmetric stroke meet, it is painted once', async () => {
  await andShown(page, () => page.getByRole('button', { name: 'Clear' }).click());
  const size = await page.getByRole('spinbutton', { name: 'Size, number' }).inputValue();
  await set('Size', '0.9');
  await set('Value', '0.5');
  await operation('Add');
  await dab(0, 0);
  await expect.poll(async () => Math.max(...(await bulgeMap()))).toBeCloseTo(0.5, 3);
  expect((await saved()).objects[0].attributes.bulge_map).toEqual({ base: 'ball-bulge_map.csv', strokes: [] });
  for (const [name, value] of [['Size', size], ['Value', '1']]) await set(name, value);
  await operation('Set');
});

test('the ring is around what the stroke then touches', async () => {
  await andShown(page, () => page.getByRole('button', { name: 'Clear' }).click());
  await page.getByRole('group', { name: 'Symmetry' }).getByRole('button', { name: 'Off' }).click();
  const [x, y] = await canvasMiddle();
  await page.mouse.move(x + 40, y - 30);
  const reached = () => page.evaluate(() => Array.from(window.kneadStudio!.brush('ball')!, (reach) => reach < 1));
  await expect.poll(async () => (await reached()).filter(Boolean).length).toBeGreaterThan(20);
  const ring = await reached();
  await andShown(page, async () => {
    await page.mouse.down();
    await page.mouse.up();
  });
  await expect.poll(async () => Math.max(...(await bulgeMap()))).toBeGreaterThan(0.9);
  // The stroke is written down with six digits.
  const touched = (await bulgeMap()).map((value) => value > 0);
  expect(touched.filter((is, v) => is !== ring[v]).length).toBeLessThan(3);
});

test('the brush takes away and smooths, and does so with Ctrl and Shift', async () => {
  await andShown(page, () => page.getByRole('button', { name: 'Fill' }).click());
  const least = async () => Math.min(...(await bulgeMap()));
  await operation('Subtract');
  await set('Value', '0.25');
  await dab(40, -30);
  await expect.poll(least).toBeCloseTo(0.75, 3);
  // Of a brush that takes away Ctrl makes one that adds; the surface under the pointer has moved a little.
  await page.keyboard.down('Control');
  await dab(40, -30);
  await page.keyboard.up('Control');
  await expect.poll(least).toBeGreaterThan(0.85);
  expect(Math.max(...(await bulgeMap()))).toBe(1);
  await set('Value', '1');
  await dab(40, -30);
  await expect.poll(least).toBe(0);
  const spread = async () => {
    const values = await bulgeMap();
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  };
  const hole = await spread();
  await operation('Smooth');
  await dab(40, -30);
  await expect.poll(spread).toBeLessThan(0.99 * hole);
  const smooth = await spread();
  await operation('Set');
  await page.keyboard.down('Shift');
  await dab(40, -30);
  await page.keyboard.up('Shift');
  await expect.poll(spread).toBeLessThan(0.99 * smooth);
  const smoothing = { operation: 'smooth' };
  expect((await saved()).objects[0].attributes.bulge_map).toMatchObject({ base: 'ball-bulge_map.csv', strokes: [smoothing, smoothing] });
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
  await dab(0, 60);
  await expect.poll(async () => Math.max(...(await bulgeMap()))).toBeGreaterThan(0.5);
  const radial = (await bulgeMap()).filter((value) => value > 0.01).length;
  expect((await saved()).objects[0].attributes.bulge_map.base).toBe('ball-bulge_map.csv');
  await page.getByRole('group', { name: 'Brush' }).getByRole('button', { name: 'Local' }).click();
  await dab(-30, -30);
  await expect.poll(async () => (await bulgeMap()).filter((value) => value > 0.01).length).toBeGreaterThan(radial);
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
  await page.waitForFunction(() => Math.abs(window.kneadStudio!.solved()!.report.frame - 24) >= 3);
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play (Space)' }).waitFor();
  await page.evaluate(() => window.kneadStudio!.settled());
  const frame = () => page.evaluate(() => window.kneadStudio!.solved()!.report.frame);
  const stopped = await frame();
  // Nothing goes on by itself: the next frame is the one that is asked for.
  await andShown(page, () => page.keyboard.press('ArrowRight'));
  expect(await frame()).toBe(stopped + 1);
});

test('a second tab has a scene of its own', async () => {
  const second = await page.context().newPage();
  await second.goto(studio.server.url);
  await second.getByRole('button', { name: /^sphere-on-plane\.json/ }).click();
  await shown(second);
  const before = await positions(second, 'ball');
  // A tab behind another takes a second for each move of the pointer.
  await page.bringToFront();
  await page.keyboard.press('w');
  await andShown(page, () => dragSlider(page, 'Softness', 0.9));
  await saved();
  await second.bringToFront();
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
