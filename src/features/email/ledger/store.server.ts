import { DAY_MS } from '~/base/dates/dates.ts';
import { createHash, randomUUID } from 'node:crypto';
import {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  not,
  notInArray,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Span } from '~/platform/postgres/span.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import {
  email,
  type EmailFailure,
  type EmailKind,
  type ApplicationEmailKind,
} from './tables.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';

type EmailRow = typeof email.$inferSelect;

/** What an email said; the shape of `body` belongs to `layout/content.server.ts`. */
const content = z.object({ to: z.string(), subject: z.string(), body: z.unknown() });
type StoredContent = z.infer<typeof content>;

/** An email with its content decrypted; `about` is the column `subject`. */
export type Email = Omit<EmailRow, 'content' | 'subject'> & {
  about: string;
  content: StoredContent | null;
};

const contextOf = (id: string) => `email.content:${id}`;

export function openEmail(sealer: Sealer, { content: sealed, subject, ...row }: EmailRow): Email {
  const kept = sealed && content.parse(sealer.unsealJson(sealed, contextOf(row.id)));
  return { ...row, about: subject, content: kept };
}

export type NewEmail = {
  id?: string;
  kind: EmailKind;
  /**
   * What it is about: an application's id, an order's number. Kind and subject make one occasion, for which one email
   * is stored, however often it is queued.
   */
  about: string;
  createdAt: Date;
  /** Not sent before this moment; until then `withdrawEmails` deletes it. */
  dueAt?: Date | undefined;
  /** Repeats an email, as an occasion of its own. */
  isRepeat?: boolean;
  resentFrom?: string;
  staffId?: string;
};

/** What an email is written for, once. */
export type EmailOccasion = Pick<NewEmail, 'kind' | 'about'>;

const keyOf = ({ kind, about }: EmailOccasion) => `${kind}:${about}`;

function valuesOf({ id = randomUUID(), about, isRepeat, ...row }: NewEmail) {
  const occasion = isRepeat ? `again:${id}` : keyOf({ ...row, about });
  return { ...row, id, subject: about, occasion };
}

/** Stores an email to be sent, once per occasion. Returns its id; `isNew`: it was not stored before. */
export async function insertEmail(
  db: Queryable,
  written: NewEmail,
): Promise<{ id: string; isNew: boolean }> {
  const row = valuesOf(written);
  const [inserted] = await db
    .insert(email)
    .values(row)
    .onConflictDoNothing({ target: email.occasion })
    .returning({ id: email.id });
  if (inserted) return { id: inserted.id, isNew: true };
  const [earlier] = await db
    .select({ id: email.id })
    .from(email)
    .where(eq(email.occasion, row.occasion));
  if (!earlier) throw new Error('The e-mail of this occasion was deleted just now');
  return { id: earlier.id, isNew: false };
}

/** A condition: an email was stored for the occasion of a kind and what a column names. */
export const isStored = (db: Queryable, kind: EmailKind, about: SQLWrapper): SQL =>
  exists(
    db
      .select({ one: sql`1` })
      .from(email)
      .where(eq(email.occasion, sql`${`${kind}:`} || ${about}`)),
  );

/** Whether an email was stored for an occasion, sent or not. */
export async function isEmailStored(db: Queryable, occasion: EmailOccasion): Promise<boolean> {
  const rows = await db
    .select({ id: email.id })
    .from(email)
    .where(eq(email.occasion, keyOf(occasion)));
  return rows.length > 0;
}

/** Failures after which the queue's next try may still succeed. */
const passing: readonly EmailFailure[] = ['later', 'unreachable', 'other'];

/** Milliseconds, longer than the queue goes on trying: an email this old that was not sent will not be. */
const MAX_TRYING_MS = 5 * DAY_MS;

/** Whether the email of one of these occasions is still to be sent, a failed one that is tried again included. */
export async function isAnyToBeSent(
  db: Queryable,
  occasions: readonly EmailOccasion[],
  now: Date,
): Promise<boolean> {
  if (occasions.length === 0) return false;
  const rows = await db
    .select({ id: email.id })
    .from(email)
    .where(
      and(
        inArray(email.occasion, occasions.map(keyOf)),
        isNull(email.sentAt),
        gt(email.createdAt, new Date(now.getTime() - MAX_TRYING_MS)),
        or(isNull(email.failure), inArray(email.failure, [...passing])),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** The same for every try of one email, and without information about it (RFC 5322, 3.6.4). */
function messageIdOf(id: string, publicUrl: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `<${hash}@${new URL(publicUrl).hostname}>`;
}

/**
 * Claims an unsent email for this process. Null when it was sent, is not due yet, or was claimed by another process after
 * `takenAfter` and not released.
 */
export async function claimEmail(
  db: Queryable,
  { id, language }: { id: string; language: string },
  { now, takenAfter, publicUrl }: { now: Date; takenAfter: Date; publicUrl: string },
): Promise<(EmailRow & { messageId: string }) | null> {
  const messageId = messageIdOf(id, publicUrl);
  const [row] = await db
    .update(email)
    .set({
      claimedAt: now,
      tries: sql`${email.tries} + 1`,
      language,
      messageId: sql`coalesce(${email.messageId}, ${messageId})`,
    })
    .where(
      and(
        eq(email.id, id),
        isNull(email.sentAt),
        or(isNull(email.dueAt), lte(email.dueAt, now)),
        or(isNull(email.claimedAt), lt(email.claimedAt, takenAfter)),
      ),
    )
    .returning();
  return row ? { ...row, messageId: row.messageId ?? messageId } : null;
}

export async function storeContent(
  db: Queryable,
  sealer: Sealer,
  id: string,
  stored: StoredContent,
): Promise<void> {
  await db
    .update(email)
    .set({ content: sealer.sealJson(stored, contextOf(id)) })
    .where(eq(email.id, id));
}

export async function markSent(tx: Queryable, id: string, at: Date): Promise<void> {
  await tx
    .update(email)
    .set({ sentAt: at, claimedAt: null, failedAt: null, failure: null })
    .where(eq(email.id, id));
}

/** Stores why it failed and releases it, so that any process may retry. */
export async function markFailed(
  db: Queryable,
  id: string,
  { at, failure }: { at: Date; failure: EmailFailure },
): Promise<void> {
  await db
    .update(email)
    .set({ claimedAt: null, failedAt: at, failure })
    .where(and(eq(email.id, id), isNull(email.sentAt)));
}

/** Why nothing was to be sent: no failure of ours. */
const intended: readonly EmailFailure[] = ['over', 'limit'];

/** Emails created in a span that failed and have not been sent since. */
export const countFailedEmails = (db: Queryable, { from, to }: Span): Promise<number> =>
  db.$count(
    email,
    and(
      gte(email.createdAt, from),
      lt(email.createdAt, to),
      isNull(email.sentAt),
      isNotNull(email.failure),
      notInArray(email.failure, [...intended]),
    ),
  );

/** Clears the failure before another try; returns false where none had failed. */
export async function retryEmail(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx
    .update(email)
    .set({ failedAt: null, failure: null })
    .where(and(eq(email.id, id), isNull(email.sentAt), isNotNull(email.failure)))
    .returning({ id: email.id });
  return rows.length > 0;
}

export async function emailById(db: Queryable, sealer: Sealer, id: string): Promise<Email | null> {
  const [row] = await db.select().from(email).where(eq(email.id, id));
  return row ? openEmail(sealer, row) : null;
}

/** Locks an email until the transaction ends, so that two who resend it run one after the other. */
export async function lockEmail(tx: Transaction, id: string): Promise<void> {
  await tx.select({ id: email.id }).from(email).where(eq(email.id, id)).for('no key update');
}

/** Whether a repetition of an email is waiting to be sent. */
export async function isBeingResent(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: email.id })
    .from(email)
    .where(and(eq(email.resentFrom, id), isNull(email.sentAt), isNull(email.failure)))
    .limit(1);
  return rows.length > 0;
}

/**
 * Deletes emails that nobody has begun to send; false where one of them is being sent or was. A process that is claiming
 * one at this moment has it first, or finds it gone: both wait for the row.
 */
export async function withdrawEmails(tx: Transaction, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const gone = await tx
    .delete(email)
    .where(
      and(
        inArray(email.id, [...ids]),
        eq(email.tries, 0),
        isNull(email.claimedAt),
        isNull(email.sentAt),
      ),
    )
    .returning({ id: email.id });
  return gone.length === ids.length;
}

/** Emails are kept for two years, shorter than applications; `but`: a condition of those that stay. */
export async function deleteEmails(db: Queryable, before: Date, but?: SQL): Promise<void> {
  await db.delete(email).where(and(lt(email.createdAt, before), but && not(but)));
}

/** The job that sends a stored email. Payload: `{ emailId }`. */
export const SEND_JOB = 'email.send';

/** Emails to one address in an hour about orders that nobody has paid: anybody may place one in anybody's name. */
export const UNPAID_PER_HOUR = 3;

const unpaidLimit = oncePerPool((pool) =>
  makeLimiter(pool, { name: 'unpaid_email', points: UNPAID_PER_HOUR, seconds: 3600 }),
);

/**
 * Counts an email about what nobody has paid for, however it was queued; false where its recipient has had as many as
 * they get in an hour. What was bought is never counted.
 */
export async function consumeUnpaidLimit(
  platform: Pick<Platform, 'pool'>,
  recipient: string,
): Promise<boolean> {
  return (await unpaidLimit(platform).consume(mailbox(recipient))).allowed;
}

/** An address without case and without what is after a `+`, which leads to the same mailbox. */
function mailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split('+');
  return `${name}${address.slice(at)}`.toLowerCase();
}

export type QueuedEmail = NewEmail & { kind: ApplicationEmailKind };

/**
 * Stores an email and queues it, in the caller's transaction; once per occasion. Recipient and text follow from what is
 * stored when the job runs; if there is nothing to say by then, nothing is sent.
 * @returns The stored email's id.
 */
export async function queueEmail(tx: Transaction, written: QueuedEmail): Promise<string> {
  const { id: emailId, isNew } = await insertEmail(tx, written);
  const { createdAt, dueAt } = written;
  const delayMs = dueAt && dueAt.getTime() - createdAt.getTime();
  if (isNew) await enqueue(tx, SEND_JOB, { emailId }, delayMs === undefined ? {} : { delayMs });
  return emailId;
}

/**
 * Has the email of an occasion tell what this transaction stores, if it is still to be written: queues it anew, for it
 * may have waited. Locks it until the transaction ends, so that no process begins to write it meanwhile. False where
 * there is none, or where it is being sent or was.
 */
export async function addToEmail(tx: Transaction, occasion: EmailOccasion): Promise<boolean> {
  const [unwritten] = await tx
    .select({ emailId: email.id })
    .from(email)
    .where(and(eq(email.occasion, keyOf(occasion)), isNull(email.sentAt), isNull(email.claimedAt)))
    .for('no key update');
  if (unwritten) await enqueue(tx, SEND_JOB, unwritten);
  return unwritten !== undefined;
}
