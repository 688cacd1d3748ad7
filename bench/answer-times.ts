import type { Pool } from 'pg';
import { serverTime } from './server-time.ts';

/** Above this ratio of elapsed time to the database's own, other programs were using the machine. */
const NOISE = 1.5;
const MOST_REPEATED = 3;

/** In milliseconds; `processor` is the database's, on average, and null where the system does not say. */
export type AnswerTimes = {
  median: number;
  /** 95th percentile. */
  most: number;
  processor: number | null;
  /** Rounds discarded before these. */
  repeated: number;
};

/**
 * Measures `runs` answers. A round whose median misses the limit while the database itself needed much less says more
 * about the machine than about the answer: it is discarded and repeated, three times at most, and the last one counts.
 * A slow answer costs processor time, or waits for the disk, in every round, so it is still found.
 */
export async function timesOf(
  run: () => Promise<number>,
  pool: Pool,
  { runs, limitMs }: { runs: number; limitMs: number },
): Promise<AnswerTimes> {
  for (let repeated = 0; ; repeated += 1) {
    const times = await round(run, pool, runs);
    const isNoise = times.processor !== null && times.median > NOISE * times.processor;
    if (times.median < limitMs || !isNoise || repeated === MOST_REPEATED) {
      return { ...times, repeated };
    }
  }
}

async function round(run: () => Promise<number>, pool: Pool, runs: number) {
  const times: number[] = [];
  const before = await serverTime(pool);
  for (let turn = 0; turn < runs; turn += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  const after = await serverTime(pool);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  const processor = before === null || after === null ? null : (after - before) / runs;
  return { median: at(0.5), most: at(0.95), processor };
}
