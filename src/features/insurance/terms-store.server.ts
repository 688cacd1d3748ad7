import { desc, eq } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/database.server.ts';
import { insuranceTerms } from './tables.server.ts';
import { publishedTerms, type PublishedTerms, type Terms } from './terms.ts';

/** The terms that whoever buys now gets. Throws before the first seeding. */
export async function currentTerms(db: Queryable): Promise<Terms> {
  const [row] = await db
    .select()
    .from(insuranceTerms)
    .orderBy(desc(insuranceTerms.version))
    .limit(1);
  if (!row) throw new Error('No insurance terms are published');
  return row;
}

/** The terms that somebody bought. */
export async function termsOf(db: Queryable, version: number): Promise<Terms> {
  const [row] = await db.select().from(insuranceTerms).where(eq(insuranceTerms.version, version));
  if (!row) throw new Error(`No insurance terms ${version}`);
  return row;
}

/** Whether any are published yet. */
export async function hasTerms(db: Queryable): Promise<boolean> {
  const rows = await db.select({ version: insuranceTerms.version }).from(insuranceTerms).limit(1);
  return rows.length > 0;
}

/** Publishes new terms for whoever buys from now on; sold ones stay as they are. Throws on what `terms.ts` forbids. */
export async function publishTerms(
  tx: Transaction,
  terms: PublishedTerms,
  now: Date,
): Promise<void> {
  await tx.insert(insuranceTerms).values({ ...publishedTerms.parse(terms), publishedAt: now });
}
