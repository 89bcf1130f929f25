import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

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
          testTimeout: 30_000,
          hookTimeout: 30_000,
          // On a busy machine a page may need longer than the second that is usual.
          expect: { poll: { timeout: 8000 } },
        },
      },
    ],
  },
});
