import { asc, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Given } from './privacy-case.ts';
import { privacyCase } from './tables.server.ts';

type Row = typeof privacyCase.$inferSelect;

/** A case with what is sealed in it opened; `chosen` is checked by who knows its shape. */
export type PrivacyCase = Omit<Row, 'given' | 'chosen' | 'answer' | 'arrivedOn'> & {
  arrivedOn: PlainDate;
  given: Given;
  chosen: unknown;
  answer: string | null;
};

const given = z.object({ number: z.string(), email: z.string(), passport: z.string() });

const contextOf = (column: 'given' | 'chosen' | 'answer', id: string) =>
  `privacy_case.${column}:${id}`;

function opened(sealer: Sealer, row: Row): PrivacyCase {
  const { id } = row;
  const arrivedOn = parseDate(row.arrivedOn);
  if (!arrivedOn) throw new Error('A case without a day');
  return {
    ...row,
    arrivedOn,
    given: given.parse(sealer.unsealJson(row.given, contextOf('given', id))),
    chosen: row.chosen && sealer.unsealJson(row.chosen, contextOf('chosen', id)),
    answer: row.answer && sealer.unsealText(row.answer, contextOf('answer', id)),
  };
}

export type NewCase = Pick<Row, 'id' | 'kind' | 'language' | 'openedBy' | 'openedAt'> & {
  arrivedOn: PlainDate;
  given: Given;
};

export async function insertCase(tx: Transaction, sealer: Sealer, row: NewCase): Promise<void> {
  await tx.insert(privacyCase).values({
    ...row,
    given: sealer.sealJson(row.given, contextOf('given', row.id)),
  });
}

export async function caseById(
  db: Queryable,
  sealer: Sealer,
  id: string,
): Promise<PrivacyCase | null> {
  const [row] = await db.select().from(privacyCase).where(eq(privacyCase.id, id));
  return row ? opened(sealer, row) : null;
}

/** Locks a case until the transaction ends. */
export async function lockCase(
  tx: Transaction,
  sealer: Sealer,
  id: string,
): Promise<PrivacyCase | null> {
  const [row] = await tx.select().from(privacyCase).where(eq(privacyCase.id, id)).for('update');
  return row ? opened(sealer, row) : null;
}

/** Open cases, those that arrived first before others. */
export async function openCases(db: Queryable, sealer: Sealer): Promise<PrivacyCase[]> {
  const rows = await db
    .select()
    .from(privacyCase)
    .where(isNull(privacyCase.closedAt))
    .orderBy(asc(privacyCase.arrivedOn), asc(privacyCase.id));
  return rows.map((row) => opened(sealer, row));
}

/** The cases that were closed last. */
export async function closedCases(
  db: Queryable,
  sealer: Sealer,
  limit: number,
): Promise<PrivacyCase[]> {
  const rows = await db
    .select()
    .from(privacyCase)
    .where(isNotNull(privacyCase.closedAt))
    .orderBy(desc(privacyCase.closedAt), asc(privacyCase.id))
    .limit(limit);
  return rows.map((row) => opened(sealer, row));
}

/** Requests that are opened at a time. */
const PAGE = 500;

/** Every request, opened, by id. */
export async function* everyCase(db: Queryable, sealer: Sealer): AsyncGenerator<PrivacyCase> {
  for (let after: string | null = null; ;) {
    const rows: Row[] = await db
      .select()
      .from(privacyCase)
      .where(after === null ? undefined : gt(privacyCase.id, after))
      .orderBy(asc(privacyCase.id))
      .limit(PAGE);
    for (const row of rows) yield opened(sealer, row);
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? null;
  }
}

/** What changes in a case; texts are sealed here. */
export type CaseChange = Partial<
  Pick<
    Row,
    | 'identityCheck'
    | 'identityBy'
    | 'identityAt'
    | 'erasedBy'
    | 'erasedAt'
    | 'outcome'
    | 'closedBy'
    | 'closedAt'
  >
> & { chosen?: unknown; answer?: string };

export async function changeCase(
  tx: Transaction,
  sealer: Sealer,
  id: string,
  { chosen, answer, ...values }: CaseChange,
): Promise<void> {
  await tx
    .update(privacyCase)
    .set({
      ...values,
      ...(chosen !== undefined && { chosen: sealer.sealJson(chosen, contextOf('chosen', id)) }),
      ...(answer !== undefined && { answer: sealer.seal(answer, contextOf('answer', id)) }),
    })
    .where(eq(privacyCase.id, id));
}
