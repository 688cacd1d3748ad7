import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { jobRow } from '~/platform/jobs/stored-jobs-store.server.ts';
import type { NewRow } from '~/platform/postgres/store-together.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { emailRow, insertEmail, type NewEmail } from './store.server.ts';

/** The job that sends a stored email. Payload: `{ emailId }`. */
export const SEND_JOB = 'email.send';

/**
 * Stores an email and queues it, in the caller's transaction; once per occasion. Recipient and text follow from what is
 * stored when the job runs; if there is nothing to say by then, nothing is sent.
 * @returns The stored email's id.
 */
export async function queueEmail(tx: Transaction, written: NewEmail): Promise<string> {
  const { id: emailId, isNew } = await insertEmail(tx, written);
  const { createdAt, dueAt } = written;
  const delayMs = dueAt && dueAt.getTime() - createdAt.getTime();
  if (isNew) await enqueue(tx, SEND_JOB, { emailId }, delayMs === undefined ? {} : { delayMs });
  return emailId;
}

/**
 * The same as rows, to be stored with others in one statement. The caller makes sure that the occasion is new.
 */
export function emailRows(written: NewEmail): NewRow[] {
  const { id: emailId, row } = emailRow(written);
  return [row, jobRow(SEND_JOB, { emailId })];
}
