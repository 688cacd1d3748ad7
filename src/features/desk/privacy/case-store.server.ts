import { asc, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm';
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

/**
 * One erasure as the log and `npm run lale -- erasures --list` say it: ids alone, which lead to nobody once it is done. With
 * it the erasure is done again in a database that was restored from a backup of before.
 */
const erasure = z.object({ caseId: z.uuid(), at: z.iso.datetime(), own: chosen });
export type Erasure = z.infer<typeof erasure>;

export const makeErasure = (caseId: string, own: ChosenData, at: Date): Erasure => {
  const { fileIds: _, ...ids } = own;
  return { caseId, at: at.toISOString(), own: ids };
};

const line = z.object({ erasure });

/** The erasures in lines of JSON, such as a list or a log: other lines are left out, and of one told twice the last. */
export function readErasures(text: string): Erasure[] {
  const byCase = new Map<string, Erasure>();
  for (const one of text.split('\n')) {
    // Whatever collects logs may write something before the JSON.
    const read = line.safeParse(parsed(one.slice(Math.max(one.indexOf('{'), 0))));
    if (read.success) byCase.set(read.data.erasure.caseId, read.data.erasure);
  }
  return [...byCase.values()].toSorted((a, b) => a.at.localeCompare(b.at));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Row = typeof privacyCase.$inferSelect;

/** A case with what is sealed in it opened; `chosen` is checked by who knows its shape. */
export type PrivacyCase = Omit<Row, 'given' | 'chosen' | 'answer' | 'arrivedOn'> & {
  arrivedOn: PlainDate;
  given: GivenIdentifiers;
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

type NewCase = Pick<Row, 'id' | 'kind' | 'language' | 'openedBy' | 'openedAt'> & {
  arrivedOn: PlainDate;
  given: GivenIdentifiers;
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
