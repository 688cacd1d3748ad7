import { usd, type Money } from '~/base/money.ts';
import type { Queryable } from '~/platform/database.server.ts';
import { readFigures } from './store.server.ts';

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
  /** Paid and not decided yet. */
  waiting: number;
  /** Of those, promised within two hours or late. */
  dueSoon: number;
};

const DAY_MS = 24 * 3600_000;
const SOON_MS = 2 * 3600_000;

export async function statistics(db: Queryable, now: Date): Promise<Statistics> {
  const { revenueMinor, revenueThisMonthMinor, ...counts } = await readFigures(db, {
    week: new Date(now.getTime() - 7 * DAY_MS),
    month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
    soon: new Date(now.getTime() + SOON_MS),
  });
  return {
    ...counts,
    revenue: usd(revenueMinor),
    revenueThisMonth: usd(revenueThisMonthMinor),
  };
}
