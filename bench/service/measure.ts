import { setTimeout as wait } from 'node:timers/promises';
import { processorMs } from './processor.ts';

/** Concurrent requests, as of two browsers; enough to keep one processor busy. */
export const AT_ONCE = 4;
/**
 * Warm-up in milliseconds of the web's processor time. After four seconds a page still costs a fifth more than after
 * ten, and a service that runs all day is warm.
 */
const WARM_MS = 10_000;
const MAX_WARM_MS = 90_000;
/** Milliseconds of both programs' processor time. */
const BLOCK_MS = 1500;
const MIN_REPETITIONS = 8;

/**
 * Something to do many times. Preparation is not measured; it returns a function that does the same thing `count`
 * times.
 */
export type MeasuredWork = (count: number) => Promise<() => Promise<void>>;

/** Repeats the same request. */
export const repeatRequest =
  (run: (turn: number) => Promise<unknown>): MeasuredWork =>
  async (count) =>
  () =>
    atOnce(
      Array.from({ length: count }, (_, turn) => turn),
      run,
    );

/** One request for each prepared item. */
export const requestEach =
  <T>(make: () => Promise<T>, run: (made: T) => Promise<unknown>): MeasuredWork =>
  async (count) => {
    const made: T[] = [];
    await atOnce(Array.from({ length: count }), async () => made.push(await make()));
    return () => atOnce(made, run);
  };

async function atOnce<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const client = async () => {
    // All clients take from one iterator.
    for (const item of left) await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

export type Cost = {
  /** Milliseconds of processor time for one, medians of the blocks. */
  web: number;
  postgres: number;
  /** Done a second, four at a time. */
  perSecond: number;
  /** Spread of the blocks: the highest web figure over the lowest. */
  spread: number;
  count: number;
};

/** The cost for both programs: after a warm-up, the median of several blocks of a second and a half. */
export async function measureCost(
  work: MeasuredWork,
  pids: { web: number; postgres: number },
  blocks: number,
): Promise<Cost> {
  const timed = async (count: number) => {
    const go = await work(count);
    const [web, postgres] = [processorMs(pids.web), processorMs(pids.postgres)];
    const began = performance.now();
    await go();
    const took = performance.now() - began;
    return {
      web: (processorMs(pids.web) - web) / count,
      postgres: (processorMs(pids.postgres) - postgres) / count,
      each: took / count,
    };
  };
  const until = performance.now() + MAX_WARM_MS;
  let count = MIN_REPETITIONS;
  for (let warm = 0; warm < WARM_MS && performance.now() < until;) {
    const { web, postgres } = await timed(count);
    warm += web * count;
    // Where a few cost too little to measure, more are run.
    const fit = BLOCK_MS / Math.max(web + postgres, Number.EPSILON);
    count = Math.max(MIN_REPETITIONS, Math.round(Math.min(fit, count * 8)));
  }
  const all: Awaited<ReturnType<typeof timed>>[] = [];
  for (let block = 0; block < blocks; block += 1) {
    await wait(100);
    all.push(await timed(count));
  }
  const webs = all.map(({ web }) => web);
  return {
    web: median(webs),
    postgres: median(all.map(({ postgres }) => postgres)),
    perSecond: 1000 / median(all.map(({ each }) => each)),
    spread: Math.max(...webs) / Math.max(Math.min(...webs), Number.EPSILON),
    count: count * blocks,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
