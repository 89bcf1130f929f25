import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience } from './tests/browser/patience';

const built = process.env.KNEAD_STUDIO_OUT ?? fileURLToPath(new URL('../../../build/studio', import.meta.url));

export default defineConfig({
  base: './',
  build: {
    outDir: built,
    emptyOutDir: true,
    target: 'es2022',
    // The server allows nothing but its own files, so no data: addresses and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
  test: {
    fileParallelism: false,
    projects: [
      { test: { name: 'unit', include: ['tests/unit/*.test.ts'], environment: 'node' } },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/*.spec.ts'],
          environment: 'node',
          // Of several waits one may run out, and say what it has waited for.
          testTimeout: 4 * patience,
          hookTimeout: 4 * patience,
          expect: { poll: { timeout: patience } },
        },
      },
    ],
  },
});
