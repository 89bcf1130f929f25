/** From a slider's input event to new positions in the page's buffers: `npm run latency`, on a machine that does nothing else. */

import { goTo, openDemo, Studio } from './harness';

const events = 30;
const studio = new Studio();

async function measure(demo: string): Promise<void> {
  const { page } = await studio.open(800, 600);
  await openDemo(page, demo);
  await goTo(page, 24);
  await page.evaluate(() => window.kneadStudio!.settled());
  const times = await page.evaluate(async (count) => {
    const slider = document.querySelector<HTMLInputElement>('[data-path="stiffness"] input[type="range"]')!;
    const studio = window.kneadStudio!;
    const result: { whole: number; server: number }[] = [];
    for (let i = 0; i < count; ++i) {
      slider.value = String(1 + 0.04 * i);
      const before = studio.shownAt();
      const begin = performance.now();
      slider.dispatchEvent(new Event('input'));
      while (studio.shownAt() === before) await new Promise((resolve) => setTimeout(resolve, 0));
      result.push({ whole: studio.shownAt() - begin, server: studio.solved()!.report.server_milliseconds });
      // Drawing is not part of it, and slow without a graphics card: it is done before the next event.
      for (let k = 0; k < 3; ++k) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    slider.dispatchEvent(new Event('change'));
    return result;
  }, events);
  const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)].toFixed(1);
  const [whole, server] = [median(times.map((time) => time.whole)), median(times.map((time) => time.server))];
  console.log(`${demo}: input to positions ${whole} ms (median of ${events}), ${server} ms of it in the server`);
  await page.close();
}

await studio.start();
try {
  for (const demo of ['two-spheres-plane', 'fingers-ball']) await measure(demo);
} finally {
  await studio.stop();
}
