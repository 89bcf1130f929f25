/** What goes in and out: files that are dropped, every format of an export, pictures; and undo through all of it. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useStudio } from './fixture';
import { andShown, goTo, openDemo, positions, program, scenesFolder } from './harness';
import { expectLikeRun } from './knead';

const studio = useStudio();
let page: Page;
let problems: string[];

beforeAll(async () => {
  ({ page, problems } = await studio.open(1100, 720));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openDemo(page, 'sphere-on-plane');
  await goTo(page, 24);
});

function drop(name: string, bytes: Uint8Array): Promise<void> {
  return page.evaluate(
    ({ name, bytes }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    },
    { name, bytes: [...bytes] },
  );
}

test('OBJ, PLY and GLB are taken, and two of the same name stay two', async () => {
  for (const format of ['obj', 'ply', 'glb']) {
    const out = join(studio.folder.path, format);
    execFileSync(program, ['run', join(scenesFolder, 'sphere-on-plane.json'), '--frames', '1:1', '--format', format, '--out', out, '--quiet']);
    const file = format === 'glb' ? 'ball.glb' : `ball.0001.${format}`;
    await andShown(page, () => drop(`Drop.${format.toUpperCase()}`, readFileSync(join(out, file))));
    expect((await positions(page, format === 'obj' ? 'Drop' : `Drop-${format === 'ply' ? 2 : 3}`)).length, format).toBe(3 * 2562);
  }
  await andShown(page, () => drop('Drop.OBJ', new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n')));
  expect((await positions(page, 'Drop-4')).length).toBe(12);
  expect((await positions(page, 'Drop')).length).toBe(3 * 2562);
});

test('what cannot be read is refused with a sentence, and changes nothing', async () => {
  const title = await page.title();
  const told = page.locator('.toast');
  await drop('broken.obj', new TextEncoder().encode('v 0 0\nf 1 2 3\n'));
  await expect.poll(() => told.textContent()).toBe('broken.obj is not taken: line 1: z is missing, expected a number.');
  await drop('holiday.jpg', new Uint8Array(3));
  await expect.poll(() => told.textContent()).toBe('holiday.jpg: expected one of .obj .ply .glb .gltf .stl .off or a scene, .json.');
  await drop('scene.json', new TextEncoder().encode('{'));
  await expect.poll(() => told.textContent()).toContain('scene.json is no scene');
  expect(await page.title()).toBe(title);
  expect(await page.locator('.banner').isVisible()).toBe(false);
});

test('where the method has no answer the view says so, and why', async () => {
  // Balls in the place of the first one have notes of their own, and the view tells three.
  for (const name of ['Drop', 'Drop-2', 'Drop-3']) {
    await page.getByRole('button', { name, exact: true }).click();
    await andShown(page, () => page.getByRole('button', { name: 'Delete this object' }).click());
  }
  await page.getByRole('button', { name: 'Drop-4', exact: true }).click();
  for (const [axis, value] of [['x', '-0.1'], ['y', '0.5'], ['z', '-0.1']]) {
    await page.getByRole('spinbutton', { name: `Place ${axis}` }).fill(value);
    await page.keyboard.press('Enter');
  }
  for (const axis of ['x', 'y', 'z']) {
    await page.getByRole('spinbutton', { name: `Size ${axis}` }).fill('0.1');
    await page.keyboard.press('Enter');
  }
  const warning = page.locator('.warnings button').filter({ hasText: 'one is inside the other' }).first();
  await warning.waitFor();
  await warning.click();
  await page.getByText('Drag the arrow in the view').waitFor();
});

test('every format of knead run can be exported', async () => {
  for (const [format, ending] of [['OBJ', '.zip'], ['PLY', '.zip'], ['PC2', '.zip'], ['GLB', '.glb'], ['USDA', '.usda']]) {
    await page.keyboard.press('Control+e');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByRole('button', { name: 'This frame' }).click();
    await dialog.getByRole('button', { name: format }).click();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const file = await download;
    expect([ending, '.zip'], format).toContain(file.suggestedFilename().slice(file.suggestedFilename().lastIndexOf('.')));
    expect(readFileSync((await file.path())!).byteLength, format).toBeGreaterThan(1000);
    await page.keyboard.press('Escape');
  }
});

test('ghost, wireframe, cut and shading each change the picture', async () => {
  const picture = async () => (await page.locator('canvas').screenshot()).toString('base64');
  await page.locator('canvas').focus();
  // Until messages over the view are over, and have faded.
  await page.locator('.toast.shown').waitFor({ state: 'detached' });
  let plain = await picture();
  await expect
    .poll(async () => {
      const last = plain;
      plain = await picture();
      return plain === last;
    })
    .toBe(true);
  for (const key of ['g', 'x', 'c', 'm']) {
    await page.keyboard.press(key);
    await expect.poll(picture, { message: key }).not.toBe(plain);
    await page.keyboard.press(key);
    await expect.poll(picture, { message: key }).toBe(plain);
  }
});

test('a picture is copied', async () => {
  await page.keyboard.press('p');
  await page.getByText('The picture is on the clipboard.').waitFor();
  const size = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const bitmap = await createImageBitmap(await item.getType('image/png'));
    return [bitmap.width, bitmap.height];
  });
  expect(Math.min(...size)).toBeGreaterThan(300);
});

test('undo goes back through everything, from a field that was typed in as well', async () => {
  await page.locator('canvas').focus();
  for (let i = 0; i < 30 && (await page.getByRole('button', { name: /^Undo/ }).isEnabled()); ++i) await page.keyboard.press('Control+z');
  await page.waitForFunction(() => !document.title.startsWith('•'));
  const begin = await page.title();
  await page.getByRole('button', { name: 'ball', exact: true }).click();
  const number = page.getByRole('spinbutton', { name: 'Stiffness, number' });
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      await number.fill('2.5');
      await number.press('Enter');
    },
    () => page.getByRole('combobox', { name: 'Preset' }).selectOption('flesh'),
    () => page.getByRole('checkbox', { name: 'Rigid' }).first().click(),
    () => page.getByRole('button', { name: 'Place: set a key at this frame' }).or(page.getByRole('button', { name: 'Place: delete the key at this frame' })).click(),
    () => page.getByRole('button', { name: '+ box' }).click(),
    () => page.getByRole('button', { name: 'Duplicate this object' }).click(),
    () => page.getByRole('button', { name: 'Delete this object' }).click(),
    async () => {
      await page.getByRole('spinbutton', { name: 'Last frame' }).fill('60');
      await page.keyboard.press('Enter');
    },
  ];
  for (const step of steps) {
    await step();
    await page.evaluate(() => window.kneadStudio!.settled());
  }
  await expect.poll(() => page.title()).toMatch(/^•/);
  for (let i = 0; i < steps.length; ++i) await page.keyboard.press('Control+z');
  await expect.poll(() => page.title()).toBe(begin);
  // In a field: what is being typed is undone by the field, what was taken by the studio.
  await page.getByRole('button', { name: 'ball', exact: true }).click();
  await number.fill('3');
  await number.press('Enter');
  await expect.poll(() => page.title()).toMatch(/^•/);
  await number.press('Control+z');
  await expect.poll(() => page.title()).toBe(begin);
  await expect.poll(() => number.inputValue()).toBe('1');
});

async function expectNoComplaint(): Promise<void> {
  expect(await page.locator('.banner').isVisible()).toBe(false);
  expect(await page.locator('.toast.warning, .toast.error').count()).toBe(0);
}

test('a stand-in works in the page as in knead run', async () => {
  await openDemo(page, 'tubular-sphere');
  await goTo(page, 24);
  await expectLikeRun(page, join(scenesFolder, 'tubular-sphere.json'), 24);
  await expectNoComplaint();
});

test('a skeleton with folds works in the page as in knead run, and each fold has a place of its own', async () => {
  await openDemo(page, 'skinned-finger');
  await goTo(page, 48);
  await expectLikeRun(page, join(scenesFolder, 'skinned-finger.json'), 48);
  await expectNoComplaint();
  const contacts = page.getByRole('list', { name: 'Contacts' }).getByRole('button');
  expect(await contacts.allTextContents()).toEqual(['finger · finger at middle', 'finger · finger at distal', 'finger:proximal · finger:distal']);
});

test('a contact between two parts of one object is added to a scene that was dropped', async () => {
  const prong = (name: string, x: number, angle: number) => [
    { name, parent: 'base', position: [x, 0.3, 0], rotate: [0, 0, angle] },
    { name: `${name} end`, parent: name, position: [x, 2, 0] },
  ];
  const segment = (group: string, from: number[], to: number[]) => ({ from, to, radii: [0.3, 0.3], group });
  const segments = [
    segment('base', [-0.5, 0, 0], [0.5, 0, 0]),
    segment('left', [-0.5, 0, 0], [-0.5, 2, 0]),
    segment('right', [0.5, 0, 0], [0.5, 2, 0]),
  ];
  const skeleton = [{ name: 'base', position: [0, 0, 0] }, ...prong('left', -0.5, -10), ...prong('right', 0.5, 10)];
  const tongs = { name: 'tongs', mesh: { blob: { segments, blend: 0.05, edge: 0.1 } }, skin: { skeleton, weights: { smooth: 0.2 } } };
  const scene = { knead: 1, frames: [1, 1], objects: [tongs], contacts: [] as object[] };
  const bytes = (content: object) => new TextEncoder().encode(JSON.stringify(content));
  await andShown(page, () => drop('tongs.json', bytes(scene)));
  const before = await positions(page, 'tongs');
  await page.getByRole('combobox', { name: 'First object' }).selectOption('tongs:left');
  await page.getByRole('combobox', { name: 'Second object' }).selectOption('tongs:right');
  await andShown(page, () => page.getByRole('button', { name: 'Add this contact' }).click());
  expect(await positions(page, 'tongs')).not.toEqual(before);
  await expectNoComplaint();
  const path = join(studio.folder.path, 'expected.json');
  writeFileSync(path, bytes({ ...scene, contacts: [{ between: ['tongs:left', 'tongs:right'] }] }));
  await expectLikeRun(page, path, 1);
});

test('the page had no errors', () => {
  expect(problems).toEqual([]);
});
