import { asc, eq } from 'drizzle-orm';
import { usd, type Money } from '~/base/money.ts';
import { valuesInForce, type Settings, changeInForce } from '~/features/settings/change.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import type { Queryable, Database } from '~/platform/postgres/database.server.ts';
import type { Plan } from '../rules/plans.ts';
import { insurancePlan, insuranceTerms } from './tables.server.ts';
import { z } from 'zod';
import { moneyValues } from '~/features/settings/price-values.server.ts';
import { cacheUntilChanged } from '~/platform/postgres/invalidations.server.ts';
import { type Terms, publishedTerms, type PublishedTerms } from '../rules/terms.ts';

/** The one subject of all settings about terms: they change as a whole. */
export const TERMS_SUBJECT = 'terms';

/** The terms in a decision; null where nothing is sold from then on. */
export const readPublishedTerms = (
  values: Readonly<Record<string, unknown>>,
): PublishedTerms | null => z.nullable(publishedTerms).parse(values[TERMS_SUBJECT] ?? null);

/** The terms on sale at a moment, as in the decision in force; null where there are none. */
export function decidedTerms(
  settings: Settings,
  at: Date,
): { changeId: number; terms: PublishedTerms } | null {
  const change = changeInForce(settings, 'insurance_terms', at);
  const terms = change && readPublishedTerms(change.values);
  return terms ? { changeId: change.id, terms } : null;
}

/**
 * The version that a purchase at this moment gets, stored when it is first asked for; null where no terms are in force,
 * so that nothing is sold. What was bought keeps its version.
 */
export async function termsInForce(db: Queryable, at: Date): Promise<Terms | null> {
  const found = decidedTerms(await readSettings(db), at);
  return found && termsByDecision(db, found, at);
}

/** The version of the terms in a decision, stored when it is first asked for. */
async function termsByDecision(
  db: Queryable,
  { changeId, terms }: { changeId: number; terms: PublishedTerms },
  at: Date,
): Promise<Terms> {
  const kept = async () => {
    const [row] = await db
      .select()
      .from(insuranceTerms)
      .where(eq(insuranceTerms.changeId, changeId));
    return row ?? null;
  };
  const before = await kept();
  if (before) return before;
  await db
    .insert(insuranceTerms)
    .values({ ...terms, changeId, publishedAt: at })
    .onConflictDoNothing({ target: insuranceTerms.changeId });
  const row = await kept();
  if (!row) throw new Error('The terms in force were not kept');
  return row;
}

/** The terms of a version; null for an unknown one. */
export async function termsByVersion(db: Queryable, version: number): Promise<Terms | null> {
  const [row] = await db.select().from(insuranceTerms).where(eq(insuranceTerms.version, version));
  return row ?? null;
}

const SALE = '.on_sale';

/** The setting that says whether a plan is sold (it is by default); its price is the setting named by its id. */
export const saleSubject = (planId: string): string => `${planId}${SALE}`;

const sales = z.record(z.string(), z.boolean());

/**
 * Reads prices and whether each plan is sold from a decision's values, or from all values in force. Plans it does not
 * mention are absent.
 * @throws Error for stored values of another kind, which only a fault of ours can cause.
 */
export function readPlanValues(values: Readonly<Record<string, unknown>>): {
  prices: Readonly<Record<string, Money>>;
  sale: Readonly<Record<string, boolean>>;
} {
  const [about, rest] = [[] as [string, unknown][], [] as [string, unknown][]];
  for (const [subject, value] of Object.entries(values)) {
    if (subject.endsWith(SALE)) about.push([subject.slice(0, -SALE.length), value]);
    else rest.push([subject, value]);
  }
  return {
    prices: moneyValues(Object.fromEntries(rest)),
    sale: sales.parse(Object.fromEntries(about)),
  };
}

/** The plans on sale at a moment, shortest first; none without an insurer's terms in force. */
export async function plansOnSale(db: Queryable, now: Date): Promise<Plan[]> {
  const settings = await readSettings(db);
  if (!decidedTerms(settings, now)) return [];
  return plansInForce(await firstPlans(db), settings, now);
}

/** The plans that settings put on sale at a moment, with their prices then. */
function plansInForce(first: readonly Plan[], settings: Settings, at: Date): Plan[] {
  const { prices, sale } = readPlanValues(valuesInForce(settings, 'plan_prices', at));
  return first.flatMap((plan) =>
    sale[plan.id] === false ? [] : [{ ...plan, price: prices[plan.id] ?? plan.price }],
  );
}

/** The plans with the prices they were seeded with, shortest first. */
export async function firstPlans(db: Queryable): Promise<Plan[]> {
  const rows = await db.select().from(insurancePlan).orderBy(asc(insurancePlan.days));
  return rows.map(({ id, name, days, priceMinor }) => ({ id, name, days, price: usd(priceMinor) }));
}

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
 * that the settings are unchanged (`areSettingsCurrentSql`).
 * @throws AskedInsideTransaction
 */
export async function readPlansOnSale(db: Database, settings: Settings, at: Date): Promise<OnSale> {
  const decided = decidedTerms(settings, at);
  if (!decided) return { plans: [], terms: null };
  const first = await plansCache.current(db);
  return { plans: plansInForce(first, settings, at), terms: await cachedTerms(db, decided, at) };
}

function cachedTerms(
  db: Database,
  decided: Parameters<typeof termsByDecision>[1],
  at: Date,
): Promise<Terms> {
  const known = versions.get(db) ?? new Map<number, Promise<Terms>>();
  versions.set(db, known);
  const kept = known.get(decided.changeId);
  if (kept) return kept;
  const terms = termsByDecision(db, decided, at);
  known.set(decided.changeId, terms);
  terms.catch(() => known.delete(decided.changeId));
  return terms;
}
