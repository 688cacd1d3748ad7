import { withOperator } from '~/features/settings/operator.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { failureOf } from './ledger/failure.ts';
import { replyAddress } from './kinds/words.server.ts';
import type { EmailContent, WrittenEmail } from './layout/content.ts';
import { emailHtml } from './layout/email-html.tsx';
import { emailText } from './layout/email-text.ts';
import {
  claimEmail,
  emailById,
  markFailed,
  markSent,
  storeContent,
} from './ledger/store.server.ts';
import { withoutLinks } from './layout/stored-content.server.ts';

/**
 * Longer than any exchange with a mail server (`mail.server.ts` times out sooner): a process that claimed an email that
 * long ago has died.
 */
const CLAIM_MS = 10 * 60_000;

/**
 * Sends a stored email once. `applicationIds`: those whose history records it; its content is kept if there are any.
 * The order is claim, send, mark: a process that dies between send and mark causes a second sending with the same
 * Message-ID, so that receivers can drop it. Nothing is lost.
 * @throws Error when the mail server does not take it, and while another process is sending it: the queue retries.
 */
export async function sendOnce(
  platform: Platform,
  {
    id,
    language,
    applicationIds,
  }: { id: string; language: string; applicationIds: readonly string[] },
  write: () => Promise<WrittenEmail>,
): Promise<void> {
  const { db, config, mail, sealer } = platform;
  const now = platform.now();
  const takenAfter = new Date(now.getTime() - CLAIM_MS);
  const claimed = await claimEmail(
    db,
    { id, language },
    { now, takenAfter, publicUrl: config.publicUrl },
  );
  if (!claimed) {
    const found = await emailById(db, sealer, id);
    if (!found || found.sentAt) return;
    throw new Error('Another process is sending this e-mail');
  }
  try {
    const { to, content } = await write();
    const stored = { to, subject: content.subject, body: withoutLinks(content) };
    if (applicationIds.length > 0) await storeContent(db, sealer, id, stored);
    const reply = replyAddress(await withOperator(platform));
    await mail.send({
      to,
      subject: content.subject,
      html: emailHtml(content, config.publicUrl),
      text: emailText(content),
      messageId: claimed.messageId,
      language: content.language,
      headers: { ...(reply && { 'Reply-To': reply }), ...unsubscribeHeaders(content) },
    });
  } catch (error) {
    await markFailed(db, id, { at: platform.now(), failure: failureOf(error) });
    throw error;
  }
  await db.transaction(async (tx) => {
    const at = platform.now();
    await markSent(tx, id, at);
    for (const applicationId of applicationIds) {
      await audit(tx, {
        at,
        staffId: null,
        action: 'email_sent',
        subject: { kind: 'application', id: applicationId },
        detail: { kind: claimed.kind },
      });
    }
  });
}

/** What mail programs offer a button for (RFC 8058); none for an email that always goes. */
const unsubscribeHeaders = ({ off }: EmailContent): Record<string, string> =>
  off
    ? { 'List-Unsubscribe': `<${off.href}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {};
