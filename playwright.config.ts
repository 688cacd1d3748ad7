import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium } from './e2e/chromium.ts';
import { isThorough } from './test/thorough.ts';

// Workers read this file again: what the first reading decided travels in the environment.
const port = (process.env.E2E_PORT ??= '18230');
const dataDir = (process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'lale-e2e-')));
const address = `http://127.0.0.1:${port}`;

/** The journeys run against the production build: one service, one database, two browsers at a time. */
export default defineConfig({
  testDir: 'e2e',
  // Pictures for the docs are taken on demand. `npm test` runs at most 60 journeys: one for each way to pay, apply, decide
  // and ask for help that only a browser can break (scripts off, lost or late; keyboard, touch, what a screen reader hears;
  // translation, right to left, two tabs; weight, barriers), and that would cost somebody money, data or their way. Every
  // other variant of these, and what takes long, ends in @nightly. What a test below finds has no journey.
  ...(process.env.SCREENS
    ? { grep: /@screens/ }
    : { grepInvert: isThorough ? /@screens/ : /@screens|@nightly/ }),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Only what hangs meets these: a machine with other work takes several times as long.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: process.env.CI ? [['line']] : [['line']],
  use: {
    baseURL: address,
    // A process of the browser for each journey took as long as loading three pages, see `test` in e2e/lale.ts.
    reuseContext: true,
    locale: 'en-GB',
    // Drawing every movement costs a third of the time: `inMotion` in e2e/lale.ts is for journeys about it.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 390, height: 844 },
    // A trace costs a third of the time; TRACE=1 takes one where a journey fails.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: `"${process.execPath}" build/server/server.js`,
    url: `${address}/readyz`,
    timeout: 120_000,
    // What the service warns of stands in the report: it says why a journey met an error page.
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      NODE_ENV: 'production',
      PORT: port,
      DATA_DIR: dataDir,
      ADMIN_EMAIL: 'first@lale.example',
      ADMIN_PASSWORD: 'lantern quarry otter mist',
      GATEWAY_PROCESSING_MS: '0',
      // Each journey comes from an address of its own (see e2e/lale.ts), as people do.
      TRUST_PROXY: 'yes',
      // Two processors that also run the browsers are late at times: pages wait then, and are not refused as busy.
      EVENT_LOOP_DELAY_MS: '60000',
      WORK_WAIT_MS: '60000',
      DATABASE_WAIT_MS: '60000',
      LOG_LEVEL: 'warn',
    },
  },
});
