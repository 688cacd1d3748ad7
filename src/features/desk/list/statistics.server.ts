import { usd, type Money } from '~/base/money.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { readTotals, readTotalsAndWork, readWork, type Totals } from './figures-store.server.ts';
import type { Kind } from './list-filter.ts';
import { SOON_HOURS } from '../frame/due.ts';

/**
 * The four figures and their details. Lab orders hold no applications and are not counted. Applications: all ever
 * submitted. Pending: applications of both kinds with that status, paid or not. Revenue: paid orders less refunds, by
 * day of payment (UTC).
 */
export type Statistics = {
  visa: number;
  visaThisWeek: number;
  insurance: number;
  insuranceThisWeek: number;
  revenue: Money;
  revenueThisMonth: Money;
  pending: number;
  /** Paid, not decided, and not paused. */
  waiting: number;
  /** Of those, and of what is approved without its PDF: past the promised moment. */
  late: Record<Kind, number>;
  /** The same, promised within `SOON_HOURS`. */
  dueSoon: Record<Kind, number>;
};

const DAY_MS = 24 * 3600_000;
const SOON_MS = SOON_HOURS * 3600_000;
/** The number of applications from which totals are cached, and for how long. */
const MANY = 50_000;
const CACHE_MS = 60_000;

type Cached = { at: number; totals: Totals; renewal: Promise<void> | null };
const cache = new WeakMap<Database, Cached>();

/**
 * What is waiting and new is counted each time. So are totals until there are many applications: then totals of the
 * last minute are shown, and older ones are renewed in the background, because nobody sees the difference in a million,
 * but everybody would wait for the count.
 */
export async function statistics(db: Database, now: Date): Promise<Statistics> {
  const since = {
    month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
    week: new Date(now.getTime() - 7 * DAY_MS),
    now,
    soon: new Date(now.getTime() + SOON_MS),
  };
  const known = knownTotals(db, now, since);
  const {
    revenueMinor,
    revenueThisMonthMinor,
    lateVisa,
    lateInsurance,
    soonVisa,
    soonInsurance,
    ...counts
  } = known ? { ...known, ...(await readWork(db, since)) } : await readTotalsAndWork(db, since);
  if (!known) cacheTotals(db, now, { revenueMinor, revenueThisMonthMinor, ...counts });
  return {
    ...counts,
    late: { visa: lateVisa, insurance: lateInsurance },
    dueSoon: { visa: soonVisa, insurance: soonInsurance },
    revenue: usd(revenueMinor),
    revenueThisMonth: usd(revenueThisMonthMinor),
  };
}

function knownTotals(db: Database, now: Date, since: { month: Date }): Totals | null {
  const known = cache.get(db);
  if (known && now.getTime() - known.at >= CACHE_MS) {
    // In the background, so a failure is ignored: the next page tries again.
    known.renewal ??= readTotals(db, since).then(
      (totals) => cacheTotals(db, now, totals),
      () => void (known.renewal = null),
    );
  }
  return known?.totals ?? null;
}

function cacheTotals(
  db: Database,
  now: Date,
  { visa, insurance, revenueMinor, revenueThisMonthMinor }: Totals,
): void {
  if (visa + insurance < MANY) return;
  const totals = { visa, insurance, revenueMinor, revenueThisMonthMinor };
  cache.set(db, { at: now.getTime(), totals, renewal: null });
}
