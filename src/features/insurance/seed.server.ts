import type { Seeded } from '~/features/catalog/seed.server.ts';
import { seedPrices } from '~/features/settings/seed.server.ts';
import type { Transaction } from '~/platform/database.server.ts';
import { countPlans, firstPlans, holdPlans, insertPlans } from './plan-store.server.ts';
import { plans } from './plans.ts';
import { hasTerms, publishTerms } from './terms-store.server.ts';
import { sampleTerms } from './terms.ts';

/**
 * Fills an empty table of plans once, publishes sample terms where there are none, and keeps the plans' first prices. A
 * table with any row is left alone: from then on the desk's settings win.
 */
export async function seedInsurance(tx: Transaction, now: Date): Promise<Seeded> {
  const seeded = await seedPlans(tx, now);
  const first = (await firstPlans(tx)).map(({ id, price }) => [id, price] as const);
  await seedPrices(tx, 'plan_prices', Object.fromEntries(first), now);
  return seeded;
}

async function seedPlans(tx: Transaction, now: Date): Promise<Seeded> {
  const there = await countPlans(tx);
  if (there > 0) return { counts: { plans: there }, inserted: 0 };
  await holdPlans(tx);
  const meanwhile = await countPlans(tx);
  if (meanwhile > 0) return { counts: { plans: meanwhile }, inserted: 0 };
  await insertPlans(tx, plans, now);
  if (!(await hasTerms(tx))) await publishTerms(tx, sampleTerms, now);
  return { counts: { plans: plans.length }, inserted: plans.length };
}
