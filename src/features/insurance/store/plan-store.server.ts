import { asc, count, sql } from 'drizzle-orm';
import { usd } from '~/base/money.ts';
import { valuesAt, type Settings } from '~/features/settings/change.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { readPlanValues } from './plan-values.server.ts';
import type { Plan } from '../rules/plans.ts';
import { termsDecidedAt } from './terms-store.server.ts';
import { insurancePlan } from './tables.server.ts';

/** The plans on sale at a moment, shortest first; none without an insurer's terms in force. */
export async function plansOnSale(db: Queryable, now: Date): Promise<Plan[]> {
  const settings = await readSettings(db);
  if (!termsDecidedAt(settings, now)) return [];
  return plansAt(await firstPlans(db), settings, now);
}

/** The plans that settings put on sale at a moment, with their prices then. */
export function plansAt(first: readonly Plan[], settings: Settings, at: Date): Plan[] {
  const { prices, sale } = readPlanValues(valuesAt(settings, 'plan_prices', at));
  return first.flatMap((plan) =>
    sale[plan.id] === false ? [] : [{ ...plan, price: prices[plan.id] ?? plan.price }],
  );
}

/** The plans with the prices they were seeded with, shortest first. */
export async function firstPlans(db: Queryable): Promise<Plan[]> {
  const rows = await db.select().from(insurancePlan).orderBy(asc(insurancePlan.days));
  return rows.map(({ id, name, days, priceMinor }) => ({ id, name, days, price: usd(priceMinor) }));
}

export async function countPlans(db: Queryable): Promise<number> {
  const [row] = await db.select({ plans: count() }).from(insurancePlan);
  return row?.plans ?? 0;
}

/** Locks the table against writing, so that two processes that start at once seed it only once. */
export async function lockPlans(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${insurancePlan} in share row exclusive mode`);
}

export async function insertPlans(
  tx: Transaction,
  plans: readonly Plan[],
  now: Date,
): Promise<void> {
  await tx.insert(insurancePlan).values(
    plans.map(({ id, name, days, price }) => ({
      id,
      name,
      days,
      priceMinor: price.minor,
      currency: price.currency,
      updatedAt: now,
    })),
  );
}
