/** One artist's afternoon: every test goes on where the one before has stopped. */

import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useStudio } from './fixture';
import { andShown, dragHandle, dragSlider, drawn, positions, scenesFolder, Server, shown } from './harness';
import { expectLikeRun, readObj } from './knead';

const studio = useStudio((folder) => {
  copyFileSync(join(scenesFolder, 'two-spheres-plane.json'), join(folder, 'two-spheres-plane.json'));
  return ['two-spheres-plane.json'];
});
const folder = studio.folder;
const scenePath = join(folder.path, 'two-spheres-plane.json');
const saved = () => JSON.parse(readFileSync(scenePath, 'utf8'));
let page: Page;
let problems: string[];

beforeAll(async () => {
  ({ page, problems } = await studio.open(1100, 720));
  await shown(page);
});

/** Saves what was changed; a dot before the name says that something was. */
async function save(): Promise<void> {
  await page.waitForFunction(() => document.title.startsWith('•'));
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !document.title.startsWith('•'));
}

test('the scene of the command line is shown as knead run writes it', async () => {
  await expect.poll(() => page.title()).toContain('two-spheres-plane');
  await expectLikeRun(page, scenePath, 1);
});

test('scrubbing shows other frames', async () => {
  const box = (await page.getByRole('slider', { name: 'Frame' }).boundingBox())!;
  await page.mouse.move(box.x + 2, box.y + 8);
  await page.mouse.down();
  for (const part of [0.2, 0.5, 0.9, 0.617]) await page.mouse.move(box.x + part * box.width, box.y + 8);
  await page.mouse.up();
  await shown(page, 30);
  await expectLikeRun(page, scenePath, 30);
  await page.getByText('first · floor').first().waitFor();
});

test('the read-out measures what was there and what is left', async () => {
  const report = page.locator('.contact-report').first();
  await page.waitForFunction(() => /crossings\s*[\d.]+/.test(document.querySelector('.contact-report')?.textContent ?? ''));
  const cells = await report.locator('tr').filter({ hasText: 'depth' }).locator('td').allTextContents();
  expect(Number(cells[0])).toBeGreaterThan(0.1);
  expect(Number(cells[1])).toBeLessThan(0.01);
});

test('a slider moves the surface while it is dragged, and undo takes the whole drag back', async () => {
  const before = await positions(page, 'first');
  await andShown(page, () => dragSlider(page, 'Stiffness', 0.8));
  const after = await positions(page, 'first');
  expect(after).not.toEqual(before);
  await andShown(page, () => page.keyboard.press('Control+z'));
  expect(await positions(page, 'first')).toEqual(before);
  await andShown(page, () => page.keyboard.press('Control+Shift+z'));
  expect(await positions(page, 'first')).toEqual(after);
});

test('input and output are switched without a new solve', async () => {
  const output = await positions(page, 'first');
  await page.keyboard.press('a');
  const input = await positions(page, 'first');
  expect(input).not.toEqual(output);
  await page.keyboard.press('a');
  expect(await positions(page, 'first')).toEqual(output);
});

test('what is saved is what is shown', async () => {
  await save();
  expect(saved().objects[0].stiffness).toBeGreaterThan(1);
  await expectLikeRun(page, scenePath, 30);
});

test('a value that is out of its range is told beside its control, and the last result stays', async () => {
  const before = await positions(page, 'first');
  const number = page.getByRole('spinbutton', { name: 'Stiffness, number' });
  await number.fill('-1');
  await number.press('Enter');
  await page.locator('[data-path="stiffness"] .problem').getByText('expected').waitFor();
  expect(await positions(page, 'first')).toEqual(before);
  await page.locator('body').click({ position: { x: 300, y: 5 } });
  await andShown(page, () => page.keyboard.press('Control+z'));
  await expect.poll(() => page.locator('[data-path="stiffness"] .problem').textContent()).toBe('');
});

test('keys are set, moved and deleted', async () => {
  const keyButton = page.locator('[data-path="bulge"] .key');
  await andShown(page, () => keyButton.click());
  const key = page.getByRole('button', { name: 'Key of bulge at frame 30' });
  const box = (await key.boundingBox())!;
  const ruler = (await page.getByRole('slider', { name: 'Frame' }).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(ruler.x + (ruler.width * 9) / 47, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await save();
  expect(saved().objects[0].bulge.keys).toEqual([[10, 1]]);
  await page.getByRole('button', { name: 'Key of bulge at frame 10' }).focus();
  await page.keyboard.press('Delete');
  await save();
  expect(saved().objects[0].bulge).toBe(1);
});

test('an object is moved with the gizmo; where it has keys, a key is set', async () => {
  await page.getByRole('button', { name: 'first', exact: true }).click();
  await page.keyboard.press('w');
  await page.keyboard.press('f');
  await andShown(page, () => dragHandle(page, [0.5, 0, 0], [40, 0]));
  await save();
  const keys = saved().objects[0].transform.translate.keys as [number, number[]][];
  expect(keys.map(([at]) => at)).toEqual([1, 20, 30, 48]);
  const [x, y, z] = keys[2][1];
  expect([x > -0.85, y, z]).toEqual([true, 0.4, 0]);
  await expectLikeRun(page, scenePath, 30);
  await andShown(page, () => page.keyboard.press('Control+z'));
});

test('an object is turned and sized with the gizmo, and its keys follow', async () => {
  for (const part of ['Turn °', 'Size']) await page.getByRole('button', { name: `${part}: set a key at this frame` }).click();
  await andShown(page, () => page.keyboard.press('ArrowRight'));
  await page.keyboard.press('e');
  // The ring about the axis that points up, between those about the other two.
  await andShown(page, () => dragHandle(page, [0.354, 0, 0.354], [40, 0]));
  await page.keyboard.press('r');
  await andShown(page, () => dragHandle(page, [0, 0.5, 0], [0, -15]));
  await save();
  const { rotate, scale } = saved().objects[0].transform as Record<string, { keys: [number, number[]][] }>;
  expect(rotate.keys).toEqual([[30, [0, 0, 0]], [31, [expect.closeTo(0, 6), expect.any(Number), expect.closeTo(0, 6)]]]);
  expect(rotate.keys[1][1][1]).toBeGreaterThan(5);
  expect(scale.keys).toEqual([[30, [1, 1, 1]], [31, [1, expect.any(Number), 1]]]);
  expect(scale.keys[1][1][1]).toBeGreaterThan(1.1);
  await expectLikeRun(page, scenePath, 31);
  for (let i = 0; i < 4; ++i) await page.keyboard.press('Control+z');
  await page.keyboard.press('w');
  await andShown(page, () => page.keyboard.press('ArrowLeft'));
});

test('a stroke is painted on the surface, seen, and undone', async () => {
  await page.getByRole('button', { name: 'floor', exact: true }).click();
  await page.keyboard.press('b');
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Control' }).selectOption('stiffness');
  const canvas = (await page.locator('canvas').boundingBox())!;
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height * 0.57];
  await drawn(page);
  const before = await positions(page, 'floor');
  await andShown(page, async () => {
    await page.mouse.move(x - 40, y);
    await page.mouse.down();
    for (let i = 1; i <= 6; ++i) await page.mouse.move(x - 40 + 14 * i, y);
    await page.mouse.up();
  });
  await page.getByText('painted: stiffness_map').waitFor();
  await expect.poll(() => page.locator('.legend-label').textContent()).toContain('stiffness_map');
  const field = await page.evaluate(() => Array.from(window.kneadStudio!.solved()!.fields.get('stiffness_map')!.get('floor')!));
  expect(Math.max(...field)).toBeGreaterThan(0.9);
  await save();
  const floor = saved().objects[2];
  expect(floor.attributes.stiffness_map.strokes.length).toBeGreaterThan(2);
  await expectLikeRun(page, scenePath, Number(await page.getByRole('spinbutton', { name: 'Frame number' }).inputValue()));
  await andShown(page, () => page.keyboard.press('Control+z'));
  expect(await positions(page, 'floor')).toEqual(before);
  await andShown(page, () => page.keyboard.press('Control+Shift+z'));
});

/** The scene that a reload would bring back, which is written a while after every change. */
function keptInBrowser(): Promise<{ objects: { attributes?: object }[] }> {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const open = indexedDB.open('knead-studio', 1);
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const get = open.result.transaction('tabs').objectStore('tabs').get(sessionStorage.getItem('tab')!);
          get.onerror = () => reject(get.error);
          get.onsuccess = () => {
            open.result.close();
            resolve(get.result.history.present.state.scene);
          };
        };
      }),
  );
}

test('a reload brings everything back, undo too', async () => {
  await page.keyboard.press('w');
  await expect.poll(async () => (await keptInBrowser()).objects[2].attributes).toHaveProperty('stiffness_map');
  const before = await positions(page, 'floor');
  await page.reload();
  await shown(page);
  expect(await positions(page, 'floor')).toEqual(before);
  await andShown(page, () => page.keyboard.press('Control+z'));
  expect(await page.getByText('painted: stiffness_map').count()).toBe(0);
  await andShown(page, () => page.keyboard.press('Control+Shift+z'));
});

test('a file that changed on disk is not overwritten without a word', async () => {
  writeFileSync(scenePath, JSON.stringify({ ...saved(), about: 'by another program' }));
  await andShown(page, () => page.keyboard.press('Control+z'));
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'The file has changed' });
  await dialog.waitFor();
  expect(saved().about).toBe('by another program');
  await dialog.getByRole('button', { name: 'Overwrite it' }).click();
  await page.getByText(/^Saved /).waitFor();
  expect(saved().about).not.toBe('by another program');
});

test('a frame is exported to download, the animation to a folder', async () => {
  const frame = Number(await page.getByRole('spinbutton', { name: 'Frame number' }).inputValue());
  await page.keyboard.press('Control+e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('button', { name: 'This frame' }).click();
  await dialog.getByRole('button', { name: 'GLB' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  expect(readFileSync((await (await download).path())!).byteLength).toBeGreaterThan(1000);
  await dialog.getByRole('button', { name: 'OBJ' }).click();
  await dialog.getByRole('button', { name: 'Folder' }).click();
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await dialog.getByText(/^Written to/).waitFor();
  const name = `first.${String(frame).padStart(4, '0')}.obj`;
  const path = join(folder.path, 'export', name);
  expect(existsSync(path), readdirSync(folder.path).join()).toBe(true);
  expect(readObj(path).map(Math.fround)).toEqual(await positions(page, 'first'));
  await page.keyboard.press('Escape');
});

test('an export can be cancelled', async () => {
  await page.keyboard.press('Control+e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('spinbutton', { name: 'Last frame' }).fill('48');
  await dialog.getByRole('spinbutton', { name: 'Step' }).fill('0.05');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await dialog.getByText(/%/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByText(/^Cancelled/).waitFor();
  await page.keyboard.press('Escape');
});

test('a mesh that is dropped becomes an object', async () => {
  const obj = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
  await andShown(page, () =>
    page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'my pebble.obj'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    }, obj),
  );
  await page.getByRole('button', { name: 'my-pebble', exact: true }).waitFor();
  expect((await positions(page, 'my-pebble')).length).toBe(12);
  await save();
  expect(existsSync(join(folder.path, 'my-pebble.obj'))).toBe(true);
});

test('a studio that is started again finds the page as it was', async () => {
  const before = await positions(page, 'first');
  const port = studio.server.port;
  await studio.server.stop();
  await page.getByText('The connection to the studio is lost').waitFor();
  studio.server = await Server.start(folder.path, 'two-spheres-plane.json', '--port', port);
  await page.getByText('The connection to the studio is lost').waitFor({ state: 'hidden' });
  await andShown(page, () => page.keyboard.press('ArrowRight'));
  await andShown(page, () => page.keyboard.press('ArrowLeft'));
  expect(await positions(page, 'first')).toEqual(before);
  expect((await positions(page, 'my-pebble')).length).toBe(12);
});

test('the page had no errors and asked for nothing from elsewhere', () => {
  // While the studio was down the browser itself reports the sockets that failed.
  expect(problems.filter((text) => !text.includes('WebSocket connection'))).toEqual([]);
});
