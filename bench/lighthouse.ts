import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '../e2e/chromium.ts';

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

export type Audit = {
  /** 0 to 100. */
  scores: Record<(typeof categories)[number], number>;
  /** What keeps a category below 100, by Lighthouse's own ids. */
  findings: string[];
  largestPaintMs: number;
  blockedMs: number;
  shift: number;
};

/** Lighthouse as a slow phone sees the page, several times; the run with the median performance. */
export async function audit(url: string, runs: number): Promise<Audit> {
  const all: Audit[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await auditOnce(url));
  const sorted = all.toSorted((a, b) => a.scores.performance - b.scores.performance);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (!median) throw new Error('No run was asked for');
  return median;
}

async function auditOnce(url: string): Promise<Audit> {
  const chrome = await launch({
    chromePath: findChromium(),
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'],
    logLevel: 'silent',
  });
  try {
    const result = await lighthouse(url, {
      port: chrome.port,
      onlyCategories: [...categories],
      logLevel: 'silent',
    });
    if (!result) throw new Error(`Lighthouse says nothing about ${url}`);
    const { lhr } = result;
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
  } finally {
    chrome.kill();
  }
}
