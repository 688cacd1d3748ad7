import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { changeAt, type Settings } from '~/features/settings/change.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import { insuranceApplication, insuranceTerms } from './tables.server.ts';
import { publishedTerms, type PublishedTerms, type Terms } from '../rules/terms.ts';

/** The one subject of all settings about terms: they change as a whole. */
export const TERMS_SUBJECT = 'terms';

/** The terms in a decision; null where nothing is sold from then on. */
export const publishedTermsIn = (
  values: Readonly<Record<string, unknown>>,
): PublishedTerms | null => z.nullable(publishedTerms).parse(values[TERMS_SUBJECT] ?? null);

/** The terms on sale at a moment, as in the decision in force; null where there are none. */
export function termsDecidedAt(
  settings: Settings,
  at: Date,
): { changeId: number; terms: PublishedTerms } | null {
  const change = changeAt(settings, 'insurance_terms', at);
  const terms = change && publishedTermsIn(change.values);
  return terms ? { changeId: change.id, terms } : null;
}

/**
 * The version that a purchase at this moment gets, stored when it is first asked for; null where no terms are in force,
 * so that nothing is sold. What was bought keeps its version.
 */
export async function termsInForce(db: Queryable, at: Date): Promise<Terms | null> {
  const found = termsDecidedAt(await readSettings(db), at);
  return found && termsOfDecision(db, found, at);
}

/** The version of the terms in a decision, stored when it is first asked for. */
export async function termsOfDecision(
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
export async function termsOfVersion(db: Queryable, version: number): Promise<Terms | null> {
  const [row] = await db.select().from(insuranceTerms).where(eq(insuranceTerms.version, version));
  return row ?? null;
}

/**
 * The terms of a version.
 * @throws Error for an unknown version, which only a fault of ours can cause.
 */
export async function termsOf(db: Queryable, version: number): Promise<Terms> {
  const terms = await termsOfVersion(db, version);
  if (!terms) throw new Error(`No insurance terms ${version}`);
  return terms;
}

/** The terms that insurances were bought on, each version once; other numbers are ignored. */
export async function termsOfNumbers(db: Queryable, numbers: readonly string[]): Promise<Terms[]> {
  if (numbers.length === 0) return [];
  const versions = db
    .select({ version: insuranceApplication.termsVersion })
    .from(insuranceApplication)
    .innerJoin(application, eq(application.id, insuranceApplication.applicationId))
    .where(inArray(application.number, [...numbers]));
  return db
    .select()
    .from(insuranceTerms)
    .where(inArray(insuranceTerms.version, versions))
    .orderBy(asc(insuranceTerms.version));
}

/** Numbers of the open, unpaid orders that hold an insurance on sample terms. */
export async function unpaidOnSampleTerms(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectDistinct({ number: order.number })
    .from(order)
    .innerJoin(application, eq(application.orderNumber, order.number))
    .innerJoin(insuranceApplication, eq(insuranceApplication.applicationId, application.id))
    .innerJoin(insuranceTerms, eq(insuranceTerms.version, insuranceApplication.termsVersion))
    .where(and(isNull(order.paidAt), isNull(order.closedAt), insuranceTerms.isSample));
  return rows.map(({ number }) => number);
}
