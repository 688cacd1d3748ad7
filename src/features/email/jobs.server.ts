import { z } from 'zod';
import { emailWithApplications, linkEmail } from '~/features/application/change-email.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import type { JobHandler } from '~/platform/jobs/job-runner.server.ts';
import { enqueue, type JobHandlers, type Recurring } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { findEmail, isEmailKind, kinds } from './kinds/find-email.server.ts';
import type { FoundByJob } from './kinds/kind.server.ts';
import { wordsFor } from './kinds/words.server.ts';
import { readStored, renewed } from './layout/content.server.ts';
import { mayWriteUnpaid, SEND_JOB } from './ledger/queue.server.ts';
import {
  emailById,
  insertEmail,
  isAnyToBeSent,
  markFailed,
  type Email,
} from './ledger/store.server.ts';
import type { EmailKind } from './ledger/tables.server.ts';
import { sendOnce } from './send.server.ts';

const queued = z.object({ emailId: z.uuid() });

const allKinds = Object.keys(kinds).filter(isEmailKind);

/** Every handler may run again without a second email being sent. */
export function emailJobs(platform: Platform): JobHandlers {
  const handlers: Record<string, JobHandler> = {
    [SEND_JOB]: (payload) => send(platform, queued.parse(payload).emailId),
    'email.resend': (payload) => resend(platform, queued.parse(payload).emailId),
  };
  for (const kind of allKinds) {
    const source = kinds[kind];
    const { recurring } = source;
    if (recurring) handlers[recurring.name] = () => recurring.run(platform);
    for (const [name, find] of Object.entries('jobs' in source ? source.jobs : {})) {
      handlers[name] = async (payload) => {
        const found = await find(platform, payload);
        if (found) await sendFound(platform, kind, found);
      };
    }
  }
  return handlers;
}

/** When emails are queued by the clock. */
export const emailSchedule: readonly Recurring[] = allKinds.flatMap((kind) => {
  const { recurring } = kinds[kind];
  return recurring ? [{ cron: recurring.cron, name: recurring.name }] : [];
});

/** An email about no application: only its job knows the recipient, and its content is not kept. */
async function sendFound(
  platform: Platform,
  kind: EmailKind,
  { about, to, language, write }: FoundByJob,
): Promise<void> {
  const { id } = await insertEmail(platform.db, { kind, about, createdAt: platform.now() });
  await sendOnce(platform, { id, language, applicationIds: [] }, async () => ({
    to,
    content: await write(wordsFor(await withOperator(platform), language)),
  }));
}

/** Sends an email about an application as things stand now; sends nothing where there is nothing left to say. */
async function send(platform: Platform, emailId: string): Promise<void> {
  const { db, sealer } = platform;
  const email = await emailById(db, sealer, emailId);
  if (!email || email.sentAt) return;
  const delayMs = (email.dueAt?.getTime() ?? 0) - platform.now().getTime();
  // The database's clock is ahead of ours: it may still be taken back.
  if (delayMs > 0) return enqueue(db, SEND_JOB, { emailId }, { delayMs });
  const found = await findEmail(platform, email);
  if (!found) {
    if (!email.failure) await markFailed(db, email.id, { at: platform.now(), failure: 'over' });
    return;
  }
  const { to, language, applicationIds, write, isUnpaid, after = [] } = found;
  await linkEmail(db, email.id, applicationIds);
  if (await isAnyToBeSent(db, after, platform.now())) {
    return enqueue(db, SEND_JOB, { emailId }, { delayMs: waitingMs(email, platform.now()) });
  }
  // Another try of one that the mail server did not take is the same email.
  if (isUnpaid && email.tries === 0 && !(await mayWriteUnpaid(platform, to))) {
    return markFailed(db, email.id, { at: platform.now(), failure: 'limit' });
  }
  await sendOnce(platform, { id: email.id, language, applicationIds }, write);
}

/** Milliseconds until an email that waits for another looks again: as long as it has waited, within these. */
const MIN_WAITING_MS = 1000;
const MAX_WAITING_MS = 10 * 60_000;

const waitingMs = ({ createdAt }: Pick<Email, 'createdAt'>, now: Date): number =>
  Math.min(Math.max(now.getTime() - createdAt.getTime(), MIN_WAITING_MS), MAX_WAITING_MS);

/**
 * Sends an email about an application again, or retries one that failed: with its kept text and fresh links, or, where
 * no text was kept, with what there is to say now. Nothing is sent about what has ended by now.
 */
async function resend(platform: Platform, emailId: string): Promise<void> {
  const { db, sealer } = platform;
  const found = await emailWithApplications(db, sealer, emailId);
  // Deleted or sent before the job ran.
  if (!found || found.email.sentAt) return;
  const { email, applicationIds } = found;
  const { id, resentFrom } = email;
  const original = resentFrom ? await emailById(db, sealer, resentFrom) : email;
  const now = await findEmail(platform, email);
  if (!now) {
    await markFailed(db, id, { at: platform.now(), failure: 'over' });
    return;
  }
  const kept = readStored(original?.content?.body);
  await sendOnce(platform, { id, language: now.language, applicationIds }, async () => {
    const { to, content } = await now.write();
    return { to, content: kept ? renewed(kept, content) : content };
  });
}
