/** The page can be read, reached with the keyboard, and used on a phone. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useStudio } from './fixture';
import { andShown, openDemo } from './harness';

const studio = useStudio();

async function open(width: number, height: number): Promise<{ page: Page; problems: string[] }> {
  const opened = await studio.open(width, height);
  await openDemo(opened.page, 'sphere-on-plane');
  return opened;
}

/** Texts whose contrast with what is behind them is below AA, 4.5 to 1. */
function weakTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const parse = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (rgb: number[]) => {
      const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): number[] => {
      for (let e = element; e; e = e.parentElement) {
        const color = parse(getComputedStyle(e).backgroundColor);
        if (color.length === 3 || color[3] > 0.5) return color.slice(0, 3);
      }
      return [22, 24, 29];
    };
    const weak: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      const text = node.textContent!.trim();
      const disabled = element.closest(':disabled') !== null;
      if (!text || disabled || !element.checkVisibility({ checkVisibilityCSS: true })) continue;
      const [a, b] = [parse(getComputedStyle(element).color).slice(0, 3), behind(element)].map(luminance);
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) weak.push(`${text} ${ratio.toFixed(2)}`);
    }
    return weak;
  });
}

/** Controls that a screen reader could not name. */
function nameless(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input, select, textarea')]
      .filter((e) => e.checkVisibility() && (e as HTMLInputElement).type !== 'hidden')
      .filter((e) => {
        const labels = (e as HTMLInputElement).labels;
        return !(e.getAttribute('aria-label') || e.textContent?.trim() || (labels && labels.length > 0 && labels[0].textContent?.trim()));
      })
      .map((e) => e.outerHTML.slice(0, 120)),
  );
}

test('at a desk: contrast, names, and the list of shortcuts', async () => {
  const { page, problems } = await open(1440, 900);
  await page.locator('details').evaluateAll((all) => all.forEach((details) => details.setAttribute('open', '')));
  expect(await weakTexts(page)).toEqual([]);
  expect(await nameless(page)).toEqual([]);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Shortcuts' });
  await help.waitFor();
  expect(await weakTexts(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
  await page.close();
});

test('every part is reached with the keyboard', async () => {
  const { page } = await open(1440, 900);
  const seen = new Set<string>();
  for (let i = 0; i < 140; ++i) {
    await page.keyboard.press('Tab');
    const place = await page.evaluate(() => {
      const e = document.activeElement!;
      const part = e.closest('.top-bar, .left, .viewport, .right, .timeline')?.className ?? '';
      const ring = getComputedStyle(e).outlineStyle !== 'none' || e === document.body;
      return `${part}${ring ? '' : ' without a ring'}`;
    });
    seen.add(place);
  }
  expect([...seen].filter((place) => place.includes('without'))).toEqual([]);
  for (const part of ['top-bar', 'side left', 'viewport', 'side right', 'timeline']) expect([...seen]).toContain(part);
  await page.close();
});

test('every control has a hint, and numbers say their unit or range', async () => {
  const { page } = await open(1440, 900);
  for (const part of ['ball', 'ball · floor']) {
    await page.getByRole('button', { name: part, exact: true }).click();
    const hints = await page
      .locator('.right .panel-body .row')
      .evaluateAll((rows) => rows.filter((row) => !row.classList.contains('name-row')).map((row) => (row as HTMLElement).dataset.hint ?? row.textContent));
    expect(hints.filter((hint) => !hint || hint.split(' ').length < 2)).toEqual([]);
  }
  await page.getByRole('button', { name: 'ball', exact: true }).click();
  await page.getByRole('slider', { name: 'Stiffness', exact: true }).focus();
  expect(await page.locator('.hint').textContent()).toMatch(/at least 0, default 1\)$/);
  await page.close();
});

test('on a phone a finger paints, and orbits where there is nothing to paint', async () => {
  const { page, problems } = await open(390, 844);
  await page.getByRole('button', { name: 'Paint (B)' }).tap();
  const box = (await page.locator('canvas').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = await page.context().newCDPSession(page);
  const drag = async (from: [number, number], to: [number, number]) => {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: from[0], y: from[1] }] });
    for (let i = 1; i <= 5; ++i)
      await touch.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: [{ x: from[0] + ((to[0] - from[0]) * i) / 5, y: from[1] + ((to[1] - from[1]) * i) / 5 }],
      });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await andShown(page, () => drag([x - 15, y - 20], [x + 15, y - 20]));
  await expect.poll(() => page.title()).toMatch(/^•/);
  const before = await page.locator('canvas').screenshot();
  await drag([x - 60, box.y + box.height - 30], [x + 60, box.y + box.height - 30]);
  await expect.poll(async () => (await page.locator('canvas').screenshot()).equals(before)).toBe(false);
  expect(problems).toEqual([]);
  await page.close();
});

test('on a phone nothing is cut off, and the panels come as drawers', async () => {
  const { page, problems } = await open(390, 844);
  const tooWide = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, select, h2, summary')]
        .filter((e) => e.checkVisibility() && !e.closest('.tracks'))
        .filter((e) => {
          const box = e.getBoundingClientRect();
          return box.right > innerWidth + 1 || box.left < -1;
        })
        .map((e) => e.outerHTML.slice(0, 100)),
    );
  expect(await tooWide()).toEqual([]);
  await page.getByRole('button', { name: 'Controls' }).tap();
  await page.getByRole('slider', { name: 'Stiffness', exact: true }).scrollIntoViewIfNeeded();
  expect(await tooWide()).toEqual([]);
  await page.getByRole('button', { name: 'Scene, view and read-out' }).tap();
  await page.getByText('Read-out').scrollIntoViewIfNeeded();
  expect(await tooWide()).toEqual([]);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.top-bar button, .tool-bar button')]
      .map((e) => e.getBoundingClientRect())
      .filter((box) => box.width > 0 && Math.min(box.width, box.height) < 30).length,
  );
  expect(small).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});
