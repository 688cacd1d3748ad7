import type { Database } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readStatistics, type Statistics } from './statistics.server.ts';
import type { Period } from './period.ts';

const FRESH_MS = 60_000;

type Cached = { at: number; statistics: Promise<Statistics> };

/** By database, then by period, of which there are seven a day. */
const cache = new WeakMap<Database, Map<string, Cached>>();

/**
 * The statistics of a period, at most a minute old; they contain their moment. Each process has its own; concurrent
 * requests share one reading. A reading that fails is not cached.
 */
export function cachedStatistics(
  { db, readLagging, now }: Pick<Platform, 'db' | 'readLagging' | 'now'>,
  period: Period,
): Promise<Statistics> {
  const asOf = now();
  const at = asOf.getTime();
  const known = cache.get(db) ?? new Map<string, Cached>();
  cache.set(db, known);
  for (const [key, { at: then }] of known) if (at - then >= FRESH_MS) known.delete(key);
  const key = `${period.range} ${period.step} ${period.end}`;
  const found = known.get(key);
  if (found) return found.statistics;
  // A lagging replica is fine, as statistics may be a minute old.
  const statistics = readLagging((from) => readStatistics(from, period, asOf));
  known.set(key, { at, statistics });
  statistics.catch(() => {
    if (known.get(key)?.statistics === statistics) known.delete(key);
  });
  return statistics;
}
