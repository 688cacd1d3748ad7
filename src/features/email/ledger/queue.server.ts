import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { insertEmail, wasStored, type NewEmail } from './store.server.ts';
import type { ApplicationEmailKind } from './tables.server.ts';

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
export async function mayWriteUnpaid(
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
 * Queues the email about an unpaid order at once: again where there was one, else in place of the one that follows
 * minutes after an order.
 */
export async function tellUnpaidNow(tx: Transaction, number: string, at: Date): Promise<void> {
  const occasion = { kind: 'unpaid', about: number } as const;
  const isRepeat = await wasStored(tx, occasion);
  await queueEmail(tx, { ...occasion, createdAt: at, isRepeat });
}
