import { usd, type Money } from '~/base/money.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { readTotals, readTotalsAndWork, readWork, type Totals } from './figures-store.server.ts';
import { SOON_HOURS } from '../frame/soon.ts';

/**
 * The four figures and what stands below them. Orders of the payment lab hold no applications and count nowhere.
 * Applications: all that were submitted, whatever became of them. Pending: applications of both kinds with the status
 * pending, paid or not. Revenue: what paid orders came to, minus what was refunded of it; by day of payment (UTC).
 */
export type Statistics = {
  visa: number;
  visaThisWeek: number;
  insurance: number;
  insuranceThisWeek: number;
  revenue: Money;
  revenueThisMonth: Money;
  pending: number;
  /** Paid, not decided yet, and not waiting for its traveller. */
  waiting: number;
  /** Of those, promised within `SOON_HOURS` or late. */
  dueSoon: number;
};

const DAY_MS = 24 * 3600_000;
const SOON_MS = SOON_HOURS * 3600_000;
/** From so many applications on, the totals are kept so long. */
const MANY = 50_000;
const KEPT_MS = 60_000;

type Kept = { at: number; totals: Totals; renewal: Promise<void> | null };
const kept = new WeakMap<Database, Kept>();

/**
 * What waits and what is new is counted each time. So are the totals, until applications are many: then a page shows
 * those of a minute ago, and whoever finds them older has them counted anew in the background. In a million nobody sees
 * the difference, but everybody would feel the counting.
 */
export async function statistics(db: Database, now: Date): Promise<Statistics> {
  const since = {
    month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
    week: new Date(now.getTime() - 7 * DAY_MS),
    soon: new Date(now.getTime() + SOON_MS),
  };
  const known = knownTotals(db, now, since);
  const { revenueMinor, revenueThisMonthMinor, ...counts } = known
    ? { ...known, ...(await readWork(db, since)) }
    : await readTotalsAndWork(db, since);
  if (!known) keep(db, now, { revenueMinor, revenueThisMonthMinor, ...counts });
  return {
    ...counts,
    revenue: usd(revenueMinor),
    revenueThisMonth: usd(revenueThisMonthMinor),
  };
}

function knownTotals(db: Database, now: Date, since: { month: Date }): Totals | null {
  const known = kept.get(db);
  if (known && now.getTime() - known.at >= KEPT_MS) {
    // Nobody waits for it, so its failure is nobody's: the next page tries again.
    known.renewal ??= readTotals(db, since).then(
      (totals) => keep(db, now, totals),
      () => void (known.renewal = null),
    );
  }
  return known?.totals ?? null;
}

function keep(
  db: Database,
  now: Date,
  { visa, insurance, revenueMinor, revenueThisMonthMinor }: Totals,
): void {
  if (visa + insurance < MANY) return;
  const totals = { visa, insurance, revenueMinor, revenueThisMonthMinor };
  kept.set(db, { at: now.getTime(), totals, renewal: null });
}
