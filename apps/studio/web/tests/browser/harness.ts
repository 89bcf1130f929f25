/** Starts the studio and a browser for it, and knows a few things that a person does. */

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { patience } from './patience';

export type Pixel = [number, number];
type Vector = [number, number, number];

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
export const program = process.env.KNEAD_PROGRAM ?? join(root, 'build/knead');
export const scenesFolder = join(root, 'scenes');
export const token = 'browser-tests-0123456789';

const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export class Server {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static start(folder: string, ...more: string[]): Promise<Server> {
    const child = spawn(program, ['studio', ...more, '--token', token, ...(more.includes('--port') ? [] : ['--port', '0']), ...(process.env.KNEAD_PAGE ? ['--page', process.env.KNEAD_PAGE] : [])], {
      cwd: folder,
    });
    return new Promise((resolve, reject) => {
      let told = '';
      const look = (data: Buffer) => {
        told += data.toString();
        const url = told.match(/^(http:\/\/\S+)\n/m)?.[1];
        if (url) resolve(new Server(child, url));
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.on('exit', () => reject(new Error(`the studio ended: ${told}`)));
    });
  }

  get port(): string {
    return new URL(this.url).port;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.process.on('exit', () => resolve());
      this.process.kill('SIGTERM');
    });
  }
}

async function startBrowser(): Promise<Browser> {
  if (!chromiumPath) throw new Error('Chromium is missing: apt-get install chromium');
  return chromium.launch({
    executablePath: chromiumPath,
    timeout: patience,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  });
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'knead-studio-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A studio, the folder that it serves, and a browser. */
export class Studio {
  readonly folder = temporaryFolder();
  server!: Server;
  browser!: Browser;

  /** With the arguments of the command line, that files in the folder may belong to. */
  async start(...more: string[]): Promise<void> {
    [this.server, this.browser] = await Promise.all([Server.start(this.folder.path, ...more), startBrowser()]);
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.server?.stop();
    this.folder.remove();
  }

  /** A page of its own, and what goes wrong on it. */
  async open(width: number, height: number): Promise<{ page: Page; problems: string[] }> {
    const context = await this.browser.newContext({ viewport: { width, height }, hasTouch: width < 500 });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const problems = watch(page, this.server);
    await page.goto(this.server.url);
    return { page, problems };
  }
}

/** Errors of the page and addresses that are not the server's; tests expect none. */
function watch(page: Page, server: Server): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.port !== server.port) problems.push(`asked for ${request.url()}`);
  });
  return problems;
}

/** Opens a demo from the list of them, which a new page begins with. */
export async function openDemo(page: Page, name: string): Promise<void> {
  const card = page.getByRole('button', { name: new RegExp(`^${name}\\b`) });
  if (await page.evaluate(() => Boolean(window.kneadStudio?.solved()?.report.objects.length))) {
    await page.keyboard.press('Control+o');
    await andShown(page, () => card.click());
  } else {
    await card.click();
    await shown(page);
  }
}

/** Goes to a frame by its number. */
export async function goTo(page: Page, frame: number): Promise<void> {
  const number = page.getByRole('spinbutton', { name: 'Frame number' });
  await number.fill(String(frame));
  await number.press('Enter');
  await shown(page, frame);
}

/** Waits until a solved frame with something in it is drawn, the given one where it matters. */
export async function shown(page: Page, frame?: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const solved = window.kneadStudio?.solved();
      return Boolean(solved?.report.objects.length && (wanted === undefined || solved.report.frame === wanted));
    },
    frame,
  );
}

/** Does something and waits for the positions that come of it. */
export async function andShown(page: Page, action: () => Promise<unknown>): Promise<void> {
  const before = await page.evaluate(() => window.kneadStudio!.shownAt());
  await action();
  await page.waitForFunction((then) => window.kneadStudio!.shownAt() > then, before);
  await page.evaluate(() => window.kneadStudio!.settled());
}

export function positions(page: Page, object: string): Promise<number[]> {
  return page.evaluate((name) => Array.from(window.kneadStudio!.positions(name) ?? []), object);
}

/** Drags the slider of a control to a part of its width. */
export async function dragSlider(page: Page, label: string, part: number): Promise<void> {
  const slider = page.getByRole('slider', { name: label, exact: true });
  await slider.scrollIntoViewIfNeeded();
  const box = (await slider.boundingBox())!;
  const y = box.y + box.height / 2;
  const from = await slider.evaluate((e: HTMLInputElement) => (Number(e.value) - Number(e.min)) / (Number(e.max) - Number(e.min)));
  const x = (at: number) => box.x + 7 + at * (box.width - 14);
  await page.mouse.move(x(from), y);
  await page.mouse.down();
  for (let step = 1; step <= 6; ++step) await page.mouse.move(x(from + ((part - from) * step) / 6), y);
  await page.mouse.up();
}

/** Waits until what was changed in the view is drawn, and can be taken hold of. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Drags with the mouse, pressed all the way. */
export async function drag(page: Page, [x, y]: Pixel, [dx, dy]: Pixel, button: 'left' | 'right' = 'left'): Promise<void> {
  await page.mouse.move(x - 1, y);
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  await page.mouse.move(x + dx, y + dy, { steps: 6 });
  await page.mouse.up({ button });
}

export function onScreen(page: Page, point: Vector): Promise<Pixel> {
  return page.evaluate((p) => window.kneadStudio!.onScreen(p), point);
}

/** Drags the gizmo of the selected object by a place of it: along the scene's axes, handles are 0.5 out. */
export async function dragHandle(page: Page, place: Vector, by: Pixel): Promise<void> {
  await drawn(page);
  const inputs = ['x', 'y', 'z'].map((axis) => page.getByRole('spinbutton', { name: `Place ${axis}` }).inputValue());
  const middle = (await Promise.all(inputs)).map(Number);
  const along = (step: number[]) => onScreen(page, middle.map((m, c) => m + step[c]) as Vector);
  const [x, y] = await along([0, 0, 0]);
  const short = 1e-3;
  const axes = await Promise.all([0, 1, 2].map(async (axis) => {
    const [toX, toY] = await along([0, 1, 2].map((c) => (c === axis ? short : 0)));
    return [(toX - x) / short, (toY - y) / short];
  }));
  // Of three axes at right angles the picture keeps two thirds of the squared length. The gizmo has the same size in every
  // view: its unit is 0.19 of the height.
  const pixelsOfLength = Math.sqrt(axes.flat().reduce((sum, value) => sum + value * value, 0) / 2);
  const { height } = (await page.locator('canvas').boundingBox())!;
  const unit = (0.19 * height) / pixelsOfLength;
  const at = (c: number) => place.reduce((sum, value, axis) => sum + value * unit * axes[axis][c], 0);
  await drag(page, [x + at(0), y + at(1)], by);
}
