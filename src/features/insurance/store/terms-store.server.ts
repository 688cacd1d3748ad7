import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { changeAt, type Settings } from '~/features/settings/change.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { insuranceTerms } from './tables.server.ts';
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
