import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findWholeChromium } from '../e2e/chromium.ts';

/** Installed when needed: it has more packages than the service. */
const PACKAGE = 'lighthouse@13.5.0';
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

export type Audit = {
  /** 0 to 100. */
  scores: Record<(typeof categories)[number], number>;
  /** Lighthouse's ids of what keeps a category below 100. */
  findings: string[];
  largestPaintMs: number;
  blockedMs: number;
  shift: number;
};

/** Runs Lighthouse several times as a slow phone; returns the run with the median performance. */
export async function audit(url: string, runs: number): Promise<Audit> {
  const all: Audit[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await auditOnce(url));
  const sorted = all.toSorted((a, b) => a.scores.performance - b.scores.performance);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (!median) throw new Error('No run was asked for');
  return median;
}

const report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), numericValue: z.number().optional() }),
  ),
});

/** Chromium's trace sometimes lacks its beginning, and Lighthouse then asks to be run again. */
async function auditOnce(url: string, tries = 3): Promise<Audit> {
  try {
    return await auditNow(url);
  } catch (error) {
    if (tries <= 1) throw error;
    console.warn(`Lighthouse failed and is run again: ${String(error).slice(0, 200)}`);
    return auditOnce(url, tries - 1);
  }
}

async function auditNow(url: string): Promise<Audit> {
  const { stdout } = await promisify(execFile)(
    'npm',
    [
      'exec',
      '--yes',
      `--package=${PACKAGE}`,
      '--',
      'lighthouse',
      url,
      '--quiet',
      '--output=json',
      '--output-path=stdout',
      '--no-enable-error-reporting',
      `--only-categories=${categories.join(',')}`,
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
    ],
    { env: { ...process.env, CHROME_PATH: findWholeChromium() }, maxBuffer: MAX_REPORT_BYTES },
  );
  const lhr = report.parse(JSON.parse(stdout));
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const figure = (id: string) => lhr.audits[id]?.numericValue ?? 0;
  const score = (id: string) => Math.round((lhr.categories[id]?.score ?? 0) * 100);
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    findings: categories.flatMap((id) =>
      (lhr.categories[id]?.auditRefs ?? [])
        .filter(({ id: name, weight }) => weight > 0 && (lhr.audits[name]?.score ?? 1) < 1)
        .map(({ id: name }) => name),
    ),
    largestPaintMs: figure('largest-contentful-paint'),
    blockedMs: figure('total-blocking-time'),
    shift: figure('cumulative-layout-shift'),
  };
}
