/**
 * A reviewer's decisions by keyboard alone, in a browser before the production build on a database of its own:
 * `npm run bench -- desk --decisions 30` (after `npm run build`). Every third is a rejection. Prints for each the
 * milliseconds from the key that sends the decision until the next application is on the screen with its facts and its
 * actions. `--latency 40` adds so many milliseconds to each request.
 */
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from '../e2e/chromium.ts';
import { openSourceModules } from '../scripts/source-modules.ts';
import { startBuild } from './server.ts';
import { rows } from './service/limits.ts';

const { atLeast } = rows.find(({ id }) => id === 'decision') ?? rows[0];
/** Milliseconds in which the next application is on the screen. */
const LIMIT_MS = 'shown' in atLeast ? atLeast.shown : 0;

const ADMIN = { email: 'first@lale.example', password: 'lantern quarry otter mist' };

type TimedDecision = { number: string; kind: 'approve' | 'reject'; ms: number };

/** Stores so many paid applications, decides them, and returns the time of each decision but the last. */
async function timeDecisions(
  count: number,
  { port, latencyMs }: { port: number; latencyMs: number },
): Promise<TimedDecision[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lale-bench-decisions-'));
  const build = await startBuild(port, {
    DATA_DIR: dataDir,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  try {
    await storeCases(dataDir, count + 1);
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const page = await browser.newPage({
        baseURL: build.url,
        locale: 'en-GB',
        viewport: { width: 1280, height: 900 },
      });
      await signIn(page);
      if (latencyMs > 0) await slowDown(page, latencyMs);
      return await decideAll(page, count);
    } finally {
      await browser.close();
    }
  } finally {
    await build.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function storeCases(dataDir: string, count: number): Promise<void> {
  const vite = await openSourceModules();
  try {
    const { withPlatform } = await vite.ssrLoadModule('/e2e/desk-platform.ts');
    const { makeApplication } = await vite.ssrLoadModule('/test/make.ts');
    await withPlatform(dataDir, async (platform: unknown) => {
      for (let index = 0; index < count; index += 1) {
        const passportNumber = `B${String(10_000_000 + index)}`;
        const email = `traveller${index}@example.org`;
        await makeApplication(platform, { passportNumber, email });
      }
    });
  } finally {
    await vite.close();
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/admin');
  await page.locator('[name="email"]').fill(ADMIN.email);
  await page.locator('[name="password"]').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox').first().waitFor();
}

async function slowDown(page: Page, latency: number): Promise<void> {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
}

/** The number of the application in the panel, once it can be decided; null until then. */
const decidable = () => {
  const panel = document.querySelector('#application:has(#approve)');
  return panel?.querySelector('[data-testid="application-number"]')?.textContent ?? null;
};

async function decideAll(page: Page, count: number): Promise<TimedDecision[]> {
  const keys = page.keyboard;
  await page.getByText('turn shortcuts off', { exact: false }).waitFor();
  await keys.press('n');
  const times: TimedDecision[] = [];
  for (let index = 0; index < count; index += 1) {
    await page.waitForFunction(decidable);
    await page.getByText('turn shortcuts off', { exact: false }).waitFor();
    const number = (await page.evaluate(decidable)) ?? '';
    const kind = index % 3 === 2 ? 'reject' : 'approve';
    await keys.press(kind === 'approve' ? 'a' : 'r');
    if (kind === 'reject') {
      await page.locator('#reject-dialog:modal').waitFor();
      await tabTo(page, '[name="reasonCode"]');
      await keys.type('There is another');
      await tabTo(page, 'button[form="reject-form"]');
      await keys.press('Enter');
    }
    await page.locator('main:has(#send-next) h1:focus').waitFor();
    // The reviewer reads the email, while the next application is loaded.
    await page.waitForTimeout(800);
    const before = performance.now();
    await keys.press('n');
    await page.waitForFunction(
      (last) => {
        const panel = document.querySelector('#application:has(#approve)');
        const shown = panel?.querySelector('[data-testid="application-number"]')?.textContent;
        return shown !== undefined && shown !== last;
      },
      number,
      { polling: 'raf' },
    );
    times.push({ number, kind, ms: performance.now() - before });
    await page.getByTestId('undo').first().waitFor();
  }
  return times;
}

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Prints each time; returns whether the 95th percentile is within the limit. */
export async function printDecisions(
  count: number,
  options: { port: number; latencyMs: number },
): Promise<boolean> {
  const times = await timeDecisions(count, options);
  for (const [index, { kind, ms }] of times.entries()) {
    console.log(
      `${String(index + 1).padStart(3)}  ${kind.padEnd(8)} ${ms.toFixed(0).padStart(5)} ms`,
    );
  }
  const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const within = sorted.filter((ms) => ms < LIMIT_MS).length;
  const isMet = quantile(0.95) < LIMIT_MS;
  console.log(
    `${isMet ? 'PASSED' : 'FAILED'}: ${within} of ${count} in under ${LIMIT_MS} ms; median ${quantile(0.5).toFixed(0)} ms, ` +
      `95th percentile ${quantile(0.95).toFixed(0)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms ` +
      `(latency ${options.latencyMs} ms, ${availableParallelism()} processors, load ${(loadavg()[0] ?? 0).toFixed(1)})`,
  );
  return isMet;
}
