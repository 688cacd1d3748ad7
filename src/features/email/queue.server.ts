import { enqueue, type NewJob } from '~/platform/jobs/jobs.server.ts';
import type { NewRow } from '~/platform/jobs/store-together.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { emailRow, insertEmail, type NewEmail } from './store.server.ts';

/** Sends an e-mail that was written down. Payload: `{ emailId }`. */
export const SEND_JOB = 'email.send';

/**
 * Writes down an e-mail and has it sent, as part of the caller's transaction; once per occasion. Whom it goes to and what
 * it says follows from what is stored by the time it is sent; if there is nothing to say by then, it is not sent.
 */
export async function queueEmail(tx: Transaction, written: NewEmail): Promise<void> {
  const { id: emailId, isNew } = await insertEmail(tx, written);
  if (isNew) await enqueue(tx, SEND_JOB, { emailId });
}

/** The same as row and job, to be stored with others by one statement, for an occasion that nobody else can have. */
export function emailToStore(written: NewEmail): { rows: NewRow[]; jobs: NewJob[] } {
  const { id: emailId, row } = emailRow(written);
  return { rows: [row], jobs: [{ name: SEND_JOB, payload: { emailId } }] };
}
