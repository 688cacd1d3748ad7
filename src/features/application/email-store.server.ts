import { and, asc, eq, inArray, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { LetterFailure } from './email-failure.ts';
import { applicationLetter, applicationLetterOf } from './tables.server.ts';

type Row = typeof applicationLetter.$inferSelect;

/** What an e-mail said; `letter` is for whoever writes e-mails to read. */
const content = z.object({ to: z.string(), subject: z.string(), letter: z.unknown() });
export type LetterContent = z.infer<typeof content>;

/** An e-mail about an application; `about` is what its row calls subject. */
export type SentLetter = Omit<Row, 'content' | 'subject'> & {
  about: string;
  content: LetterContent | null;
};

const contextOf = (id: string) => `application_letter.content:${id}`;

function opened(sealer: Sealer, { content: sealed, subject, ...row }: Row): SentLetter {
  const kept = sealed && content.parse(sealer.unsealJson(sealed, contextOf(row.id)));
  return { ...row, about: subject, content: kept };
}

/** Notes an e-mail that is on its way, once. */
export async function noteLetter(
  db: Queryable,
  letter: Pick<SentLetter, 'id' | 'kind' | 'about' | 'createdAt'> &
    Partial<Pick<SentLetter, 'resentFrom' | 'staffId'>>,
  applicationIds: readonly string[],
): Promise<void> {
  if (applicationIds.length === 0) return;
  const { about: subject, ...row } = letter;
  await db
    .insert(applicationLetter)
    .values({ ...row, subject })
    .onConflictDoNothing();
  const links = applicationIds.map((applicationId) => ({ applicationId, letterId: letter.id }));
  await db.insert(applicationLetterOf).values(links).onConflictDoNothing();
}

/** Keeps what an e-mail says. Nothing happens where the e-mail is about no application. */
export async function keepContent(
  db: Queryable,
  sealer: Sealer,
  id: string,
  said: LetterContent,
): Promise<void> {
  await db
    .update(applicationLetter)
    .set({ content: sealer.sealJson(said, contextOf(id)) })
    .where(eq(applicationLetter.id, id));
}

export async function markLetterSent(tx: Queryable, id: string, at: Date): Promise<void> {
  await tx
    .update(applicationLetter)
    .set({ sentAt: at, failedAt: null, failure: null })
    .where(eq(applicationLetter.id, id));
}

export async function markLetterFailed(
  db: Queryable,
  id: string,
  { at, failure }: { at: Date; failure: LetterFailure },
): Promise<void> {
  await db
    .update(applicationLetter)
    .set({ failedAt: at, failure })
    .where(and(eq(applicationLetter.id, id), isNull(applicationLetter.sentAt)));
}

/** Another try is on its way; false where none had failed. */
export async function retryLetter(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx
    .update(applicationLetter)
    .set({ failedAt: null, failure: null })
    .where(
      and(
        eq(applicationLetter.id, id),
        isNull(applicationLetter.sentAt),
        isNotNull(applicationLetter.failure),
      ),
    )
    .returning({ id: applicationLetter.id });
  return rows.length > 0;
}

/** Oldest first. Personal content, opened: whoever shows it to somebody writes it into the audit trail. */
export async function lettersOf(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<SentLetter[]> {
  const rows = await db
    .select({ letter: applicationLetter })
    .from(applicationLetterOf)
    .innerJoin(applicationLetter, eq(applicationLetter.id, applicationLetterOf.letterId))
    .where(eq(applicationLetterOf.applicationId, applicationId))
    .orderBy(asc(applicationLetter.createdAt), asc(applicationLetter.id));
  return rows.map(({ letter }) => opened(sealer, letter));
}

export type LetterWithApplications = { letter: SentLetter; applicationIds: string[] };

/** One e-mail and the applications it is about. */
export async function letterById(
  db: Queryable,
  sealer: Sealer,
  id: string,
): Promise<LetterWithApplications | null> {
  const [row] = await db.select().from(applicationLetter).where(eq(applicationLetter.id, id));
  if (!row) return null;
  const links = await db
    .select({ id: applicationLetterOf.applicationId })
    .from(applicationLetterOf)
    .where(eq(applicationLetterOf.letterId, id));
  return { letter: opened(sealer, row), applicationIds: links.map((link) => link.id) };
}

/** Holds an e-mail until the transaction ends: who send it again at once come one after the other. */
export async function lockLetter(tx: Transaction, id: string): Promise<void> {
  const { id: column } = applicationLetter;
  await tx
    .select({ id: column })
    .from(applicationLetter)
    .where(eq(column, id))
    .for('no key update');
}

/** Whether an e-mail is being sent again at the moment. */
export async function isBeingResent(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: applicationLetter.id })
    .from(applicationLetter)
    .where(
      and(
        eq(applicationLetter.resentFrom, id),
        isNull(applicationLetter.sentAt),
        isNull(applicationLetter.failure),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Communication has a time of its own, shorter than an application's. */
export async function deleteLetters(db: Queryable, before: Date): Promise<void> {
  await db.delete(applicationLetter).where(lt(applicationLetter.createdAt, before));
}

/** The e-mails about applications whose time is over; one about others too stays with them. */
export async function deleteLettersOf(tx: Transaction, applicationIds: string[]): Promise<void> {
  const gone = await tx
    .delete(applicationLetterOf)
    .where(inArray(applicationLetterOf.applicationId, applicationIds))
    .returning({ id: applicationLetterOf.letterId });
  if (gone.length === 0) return;
  await tx.delete(applicationLetter).where(
    and(
      inArray(
        applicationLetter.id,
        gone.map(({ id }) => id),
      ),
      notExists(
        tx
          .select({ one: sql`1` })
          .from(applicationLetterOf)
          .where(eq(applicationLetterOf.letterId, applicationLetter.id)),
      ),
    ),
  );
}
