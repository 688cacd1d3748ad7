import type { Settings } from '~/features/settings/change.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { cacheUntilChanged } from '~/platform/postgres/cache-until-changed.server.ts';
import { firstPlans, plansAt } from './plan-store.server.ts';
import type { Plan } from '../rules/plans.ts';
import { termsDecidedAt, termsOfDecision } from './terms-store.server.ts';
import type { Terms } from '../rules/terms.ts';

/** The plans on sale at a moment, shortest first, and their terms; no plans without terms. */
export type OnSale = { plans: readonly Plan[]; terms: Terms | null };

/** The table of plans is only seeded; settings change what is sold. */
const plansCache = cacheUntilChanged({
  topic: 'setting_change',
  read: (db) => firstPlans(db),
  isKept: (plans) => plans.length > 0,
});

/** Cached for good: a version of the terms never changes. */
const versions = new WeakMap<Database, Map<number, Promise<Terms>>>();

/**
 * What settings put on sale at a moment, from memory. Whoever stores what follows from it must do so on the condition
 * that the settings are unchanged (`settingsAreStill`).
 * @throws AskedInsideTransaction
 */
export async function onSaleAt(db: Database, settings: Settings, at: Date): Promise<OnSale> {
  const decided = termsDecidedAt(settings, at);
  if (!decided) return { plans: [], terms: null };
  const first = await plansCache.current(db);
  return { plans: plansAt(first, settings, at), terms: await cachedTerms(db, decided, at) };
}

function cachedTerms(
  db: Database,
  decided: Parameters<typeof termsOfDecision>[1],
  at: Date,
): Promise<Terms> {
  const known = versions.get(db) ?? new Map<number, Promise<Terms>>();
  versions.set(db, known);
  const kept = known.get(decided.changeId);
  if (kept) return kept;
  const terms = termsOfDecision(db, decided, at);
  known.set(decided.changeId, terms);
  terms.catch(() => known.delete(decided.changeId));
  return terms;
}
