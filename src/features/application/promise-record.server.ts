import { sql, type SQL } from 'drizzle-orm';
import { DAY_MS } from '~/base/dates/dates.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Database, Queryable } from '~/platform/postgres/database.server.ts';
import { within, type Span } from '~/platform/postgres/span.server.ts';
import { application } from './tables.server.ts';

/*
 * Promises kept, as staff and the public see them: expressions over a row `a` of the applications.
 */

/**
 * Promises that fell due, of visas and minors' insurances: not those of later today, nor those that the traveller
 * withdrew, nor those that wait for the traveller, whose promised moment will move.
 */
export const promiseFellDueSql = (
  span: Span,
  now: Date,
): SQL => sql`a.paid_at is not null and a.promised_at is not null
  and ${within(sql`a.promised_at`, { from: span.from, to: span.to > now ? now : span.to })}
  and (a.decided_at is not null or a.paused_at is null) and a.rejection_code is distinct from 'withdrawn'`;

/** Not decided yet, or approved without its PDF: the traveller still waits. */
export const isAwaitedSql = sql`(a.decided_at is null or a.undelivered_since is not null)`;

export const isPromiseKeptSql = sql`(not ${isAwaitedSql} and a.decided_at <= a.promised_at)`;

export type PromisesKept = { due: number; kept: number };

/** Fewer promises say nothing about the next one. */
const MIN_PROMISES = 100;
const YEAR_MS = 365 * DAY_MS;
const FRESH_MS = 3_600_000;

/** The promises that fell due in a span, and those of them that were kept. */
export async function countPromises(db: Queryable, span: Span, now: Date): Promise<PromisesKept> {
  const { rows } = await db.execute<PromisesKept>(sql`
    select count(*)::int as due, count(*) filter (where ${isPromiseKeptSql})::int as kept
    from ${application} a where ${promiseFellDueSql(span, now)}`);
  return rows[0] ?? { due: 0, kept: 0 };
}

type Cached = { at: number; counted: Promise<PromisesKept> };
const cache = new WeakMap<Database, Cached>();

/** The promises of the last 12 months and the share kept, in whole percent rounded down. */
export type PromiseRecord = { due: number; percent: number };

/** What the public is told, from figures at most an hour old; null below a hundred promises. A failure is not cached. */
export async function promiseRecord({
  db,
  readLagging,
  now,
}: Pick<Platform, 'db' | 'readLagging' | 'now'>): Promise<PromiseRecord | null> {
  const at = now();
  let known = cache.get(db);
  if (!known || at.getTime() - known.at >= FRESH_MS) {
    const span = { from: new Date(at.getTime() - YEAR_MS), to: at };
    known = { at: at.getTime(), counted: readLagging((from) => countPromises(from, span, at)) };
    cache.set(db, known);
  }
  try {
    const { due, kept } = await known.counted;
    return due < MIN_PROMISES ? null : { due, percent: Math.floor((kept * 100) / due) };
  } catch {
    // No page fails for want of this sentence.
    if (cache.get(db) === known) cache.delete(db);
    return null;
  }
}
