/** Makes the pictures of docs/studio.md: `npm run pictures`. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { goTo, openDemo, Studio } from './harness';

const out = fileURLToPath(new URL('../../../../../docs/studio', import.meta.url));
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

const studio = new Studio();

async function begin(size: typeof desk, demo: string, frame: number): Promise<Page> {
  const { page } = await studio.open(size.width, size.height);
  await openDemo(page, demo);
  // The first solve also makes plans, which would be in the read-out.
  for (const at of [frame, frame - 1, frame]) await goTo(page, at);
  await page.locator('canvas').focus();
  await page.mouse.move(1, 1);
  return page;
}

/** The whole page, or one part of it, when all is drawn. */
async function take(page: Page, name: string, part?: string): Promise<void> {
  await page.waitForTimeout(2600);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const path = join(out, `${name}.png`);
  if (part) await page.locator(part).screenshot({ path });
  else await page.screenshot({ path });
}

/** While it is on its way. */
async function simulation(): Promise<void> {
  const { page } = await studio.open(desk.width, desk.height);
  await openDemo(page, 'squeezed-ball');
  await page.keyboard.press('Escape');
  const number = page.getByRole('spinbutton', { name: 'Frame number' });
  await number.fill('40');
  await number.press('Enter');
  await number.blur();
  await page.waitForFunction(() => (window.kneadStudio!.solved()?.report.frame ?? 0) >= 22);
  await page.screenshot({ path: join(out, 'simulation.png') });
  await page.close();
}

/** Implicit solids: what a solid is made of stands where the deformer's controls are. */
async function implicit(): Promise<void> {
  const page = await begin(desk, 'vaulting-horse', 40);
  await page.getByRole('button', { name: 'ball', exact: true }).first().click();
  await take(page, 'implicit');
  await page.close();
}

async function atDesk(): Promise<void> {
  const page = await begin(desk, 'two-spheres-plane', 40);
  await take(page, 'studio');
  await take(page, 'readout', '.left > details:last-child');
  await page.keyboard.press('g');
  await take(page, 'ghost', '.viewport');
  await page.keyboard.press('g');
  await page.getByRole('combobox', { name: 'Colour by' }).selectOption('u');
  await take(page, 'field', '.viewport');
  await page.keyboard.press('Control+o');
  await take(page, 'open', 'dialog');
  await page.close();

  const cut = await begin(desk, 'two-spheres-plane', 40);
  await cut.keyboard.press('c');
  await cut.getByRole('slider', { name: 'Place of the cut' }).fill('0.5');
  await take(cut, 'cut', '.viewport');
  await cut.close();

  const direction = await begin(desk, 'sphere-on-plane', 24);
  await direction.getByText('Transform', { exact: true }).click();
  await direction.getByText('Object', { exact: true }).click();
  await direction.getByText('Deformation', { exact: true }).click();
  await direction.getByText('Profile', { exact: true }).click();
  await take(direction, 'controls', '.right');
  await direction.getByRole('button', { name: 'ball · floor' }).click();
  for (const [axis, value] of [['y', '1'], ['z', '0.2'], ['x', '0.5']]) {
    const input = direction.getByRole('spinbutton', { name: `Direction ${axis}` });
    await input.fill(value);
    await input.press('Enter');
  }
  await take(direction, 'direction');
  await direction.close();

  const paint = await begin(desk, 'two-spheres-plane', 48);
  await paint.getByRole('button', { name: 'floor', exact: true }).click();
  await paint.keyboard.press('b');
  const box = (await paint.locator('canvas').boundingBox())!;
  const [x, y] = [box.x + 0.33 * box.width, box.y + 0.83 * box.height];
  await paint.mouse.move(x, y);
  await paint.mouse.down();
  for (let i = 1; i <= 24; ++i) await paint.mouse.move(x + 12 * i, y + 20 * Math.sin(i / 4));
  await paint.mouse.up();
  await paint.mouse.move(x + 55, y + 55);
  await take(paint, 'paint');
  await paint.close();
}

async function onPhone(): Promise<void> {
  const page = await begin(phone, 'two-spheres-plane', 40);
  await take(page, 'phone');
  await page.getByRole('button', { name: 'Controls' }).tap();
  await page.getByRole('slider', { name: 'Stiffness', exact: true }).scrollIntoViewIfNeeded();
  await take(page, 'phone-controls');
  await page.close();
}

mkdirSync(out, { recursive: true });
await studio.start();
try {
  await atDesk();
  await simulation();
  await implicit();
  await onPhone();
} finally {
  await studio.stop();
}
