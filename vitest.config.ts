import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vitest/config';

/**
 * Vitest passes the conditions of the build on to Node. Files under "module" are for bundlers alone; in production Node
 * does not choose them either, and cannot load those of Amazon's client. And pages are drawn by the React of production.
 */
function resolveAsProduction(): Plugin {
  return {
    name: 'lale:as-production',
    enforce: 'post',
    config: () => ({ oxc: { jsx: { development: false } } }),
    configResolved({ ssr: { resolve } }) {
      if (resolve?.conditions) {
        resolve.conditions = resolve.conditions.filter((condition) => condition !== 'module');
      }
    },
  };
}

export default defineConfig({
  plugins: [reactRouter(), resolveAsProduction()],
  resolve: { tsconfigPaths: true },
  // Pages name their pictures as the built service does.
  build: { assetsInlineLimit: 0 },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/one-query-at-a-time.ts'],
    environment: 'node',
    // React for development notes for each element where it was made: half of what drawing a page costs.
    env: { NODE_ENV: 'production' },
    // The journeys run beside them: two at a time fill two cores, and a third would load the whole service once more.
    maxWorkers: 2,
    // Loading the service anew for each of 150 files took longer than the tests; what they share in a process is
    // what requests share in the service.
    isolate: false,
    // So that no test needs another one before it. Every run has this order; `npm test -- --seed 42` tries another.
    sequence: { shuffle: { tests: true }, seed: 1 },
    // Only what hangs meets these: a machine with other work takes several times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
