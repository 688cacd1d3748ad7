import { asc, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import { everyRow } from '~/base/cursor.ts';
import { z } from 'zod';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { GivenIdentifiers } from './privacy-case.ts';
import { privacyCase } from './tables.server.ts';

const ids = z.array(z.string());

/** What staff chose as a person's own, by ids. An order: one that the person pays, with its receipts. */
export const chosen = z.object({
  applicationIds: ids,
  orderIds: ids,
  draftIds: ids,
  /** Earlier requests of the person. */
  caseIds: ids.prefault([]),
  /** Accounts at the desk, where the person works here. */
  staffIds: ids.prefault([]),
  /** Files that an erasure had removed, to look afterwards whether they are gone. */
  fileIds: ids.optional(),
});
export type ChosenData = z.infer<typeof chosen>;

export const isNothingChosen = (own: ChosenData): boolean => countChosen(own) === 0;

export const countChosen = (own: ChosenData): number =>
  [own.applicationIds, own.orderIds, own.draftIds, own.caseIds, own.staffIds].reduce(
    (sum, list) => sum + list.length,
    0,
  );

type Row = typeof privacyCase.$inferSelect;

/** A case with what is sealed in it opened. */
export type PrivacyCase = Omit<Row, 'given' | 'chosen' | 'answer' | 'arrivedOn'> & {
  arrivedOn: PlainDate;
  given: GivenIdentifiers;
  /** Null before the identity check. */
  chosen: ChosenData | null;
  answer: string | null;
};

const given = z.object({ number: z.string(), email: z.string(), passport: z.string() });

/** What a column of a case is sealed for. */
export const caseContext = (column: 'given' | 'chosen' | 'answer', id: string) =>
  `privacy_case.${column}:${id}`;

function opened(sealer: Sealer, row: Row): PrivacyCase {
  const { id } = row;
  const arrivedOn = parseDate(row.arrivedOn);
  if (!arrivedOn) throw new Error('A case without a day');
  return {
    ...row,
    arrivedOn,
    given: given.parse(sealer.unsealJson(row.given, caseContext('given', id))),
    chosen: row.chosen && chosen.parse(sealer.unsealJson(row.chosen, caseContext('chosen', id))),
    answer: row.answer && sealer.unsealText(row.answer, caseContext('answer', id)),
  };
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

/** Every request, opened, by id. */
export async function* everyCase(db: Queryable, sealer: Sealer): AsyncGenerator<PrivacyCase> {
  const rows = everyRow<Row>((last, limit) =>
    db
      .select()
      .from(privacyCase)
      .where(last === null ? undefined : gt(privacyCase.id, last.id))
      .orderBy(asc(privacyCase.id))
      .limit(limit),
  );
  for await (const row of rows) yield opened(sealer, row);
}

/** What changes in a case; texts are sealed here. */
type CaseChange = Partial<
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
> & { chosen?: ChosenData; answer?: string };

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
      ...(chosen !== undefined && { chosen: sealer.sealJson(chosen, caseContext('chosen', id)) }),
      ...(answer !== undefined && { answer: sealer.seal(answer, caseContext('answer', id)) }),
    })
    .where(eq(privacyCase.id, id));
}
