import type { Database } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readFigures, type Figures } from './figures.server.ts';
import type { Period } from './period.ts';

const FRESH_MS = 60_000;

type Kept = { at: number; figures: Promise<Figures> };

/** By database, then by period: there are seven of these a day. */
const kept = new WeakMap<Database, Map<string, Kept>>();

/**
 * The figures of a period, a minute old at most, as they themselves say. Each process keeps its own; who asks while they
 * are being read waits for the one reading. A reading that fails is not kept.
 */
export function cachedFigures(
  { db, readLagging, now }: Pick<Platform, 'db' | 'readLagging' | 'now'>,
  period: Period,
): Promise<Figures> {
  const asOf = now();
  const at = asOf.getTime();
  const known = kept.get(db) ?? new Map<string, Kept>();
  kept.set(db, known);
  for (const [key, { at: then }] of known) if (at - then >= FRESH_MS) known.delete(key);
  const key = `${period.range} ${period.step} ${period.end}`;
  const found = known.get(key);
  if (found) return found.figures;
  // They are a minute old anyway.
  const figures = readLagging((from) => readFigures(from, period, asOf));
  known.set(key, { at, figures });
  figures.catch(() => {
    if (known.get(key)?.figures === figures) known.delete(key);
  });
  return figures;
}
