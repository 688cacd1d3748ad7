import { withOperator } from '~/features/settings/operator.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { replyAddress } from './kinds/words.server.ts';
import { emailHtml } from './layout/email-html.tsx';
import {
  claimEmail,
  emailById,
  markFailed,
  markSent,
  storeContent,
} from './ledger/store.server.ts';
import { emailText, withoutLinks, type WrittenEmail } from './layout/content.server.ts';
import type { EmailFailure } from './ledger/tables.server.ts';

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
      headers: reply ? { 'Reply-To': reply } : {},
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

const unreachable = ['ECONNECTION', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EDNS', 'ESOCKET'];

/**
 * Classifies what a mail client threw: `responseCode` of the server (RFC 5321, 4.2.1: 4xx for now, 5xx for good),
 * `code` of the client, `EENVELOPE` where the server refused sender or recipient.
 */
export function failureOf(error: unknown): EmailFailure {
  if (typeof error !== 'object' || error === null) return 'other';
  const response = 'responseCode' in error ? Number(error.responseCode) : 0;
  const code = 'code' in error ? String(error.code) : '';
  if (response >= 500) return code === 'EENVELOPE' ? 'address' : 'refused';
  if (response >= 400) return 'later';
  return unreachable.includes(code) ? 'unreachable' : 'other';
}
