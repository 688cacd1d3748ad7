import { emailWithApplications } from '~/features/application/email-store.server.ts';
import { sendOnce } from './send.server.ts';
import { emailById, markFailed } from './ledger/store.server.ts';
import { readStored, renewed } from './layout/stored-content.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { findOccasion, isApplicationEmail } from './kinds/occasions.server.ts';

/**
 * Sends an email about an application again, or retries one that failed: with its kept text and fresh links, or, where
 * no text was kept, with what there is to say now. Nothing is sent about what has ended by now.
 */
export async function resend(platform: Platform, emailId: string): Promise<void> {
  const { db, sealer } = platform;
  const found = await emailWithApplications(db, sealer, emailId);
  // Deleted or sent before the job ran.
  if (!found || found.email.sentAt || !isApplicationEmail(found.email.kind)) return;
  const { email, applicationIds } = found;
  const { id, kind, about, resentFrom } = found.email;
  const original = resentFrom ? await emailById(db, sealer, resentFrom) : email;
  const now = await findOccasion(platform, kind, about);
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
