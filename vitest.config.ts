import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [reactRouter()],
  resolve: { tsconfigPaths: true },
  // Pages name their pictures as the built service does.
  build: { assetsInlineLimit: 0 },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/global-setup.ts'],
    environment: 'node',
    // Tests wait for PostgreSQL more than they count: three at a time fill two cores.
    maxWorkers: 3,
    // Loading the service anew for each of 150 files took longer than the tests; what they share in a process is
    // what requests share in the service.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
