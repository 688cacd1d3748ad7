import type { Seeded } from '~/features/catalog/seed.server.ts';
import { seedPrices } from '~/features/settings/price-values.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { countPlans, firstPlans, lockPlans, insertPlans } from './plan-store.server.ts';
import { plans } from '../rules/plans.ts';
import { seedTerms } from './seed-terms.server.ts';

/**
 * Fills the empty table of plans, puts sample terms in force where none were decided, and stores the plans' first
 * prices. A table with any row is left alone: from then on the desk's settings count.
 */
export async function seedInsurance(tx: Transaction, now: Date): Promise<Seeded> {
  const seeded = await seedPlans(tx, now);
  const first = (await firstPlans(tx)).map(({ id, price }) => [id, price] as const);
  await seedTerms(tx, now);
  await seedPrices(tx, 'plan_prices', Object.fromEntries(first), now);
  return seeded;
}

async function seedPlans(tx: Transaction, now: Date): Promise<Seeded> {
  const there = await countPlans(tx);
  if (there > 0) return { counts: { plans: there }, inserted: 0 };
  await lockPlans(tx);
  const meanwhile = await countPlans(tx);
  if (meanwhile > 0) return { counts: { plans: meanwhile }, inserted: 0 };
  await insertPlans(tx, plans, now);
  return { counts: { plans: plans.length }, inserted: plans.length };
}
