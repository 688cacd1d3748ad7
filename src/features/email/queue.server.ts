import { enqueue, type NewJob } from '~/platform/jobs/jobs.server.ts';
import type { NewRow } from '~/platform/jobs/store-together.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { emailRow, insertEmail, type NewEmail } from './store.server.ts';

/** The job that sends a stored email. Payload: `{ emailId }`. */
export const SEND_JOB = 'email.send';

/**
 * Stores an email and queues it, in the caller's transaction; once per occasion. Recipient and text follow from what is
 * stored when the job runs; if there is nothing to say by then, nothing is sent.
 */
export async function queueEmail(tx: Transaction, written: NewEmail): Promise<void> {
  const { id: emailId, isNew } = await insertEmail(tx, written);
  if (isNew) await enqueue(tx, SEND_JOB, { emailId });
}

/**
 * The same as row and job, to be stored with others in one statement. The caller makes sure that the occasion is new.
 */
export function emailToStore(written: NewEmail): { rows: NewRow[]; jobs: NewJob[] } {
  const { id: emailId, row } = emailRow(written);
  return { rows: [row], jobs: [{ name: SEND_JOB, payload: { emailId } }] };
}
