import { withOperator } from '~/features/settings/operator.server.ts';
import { createHash, randomUUID } from 'node:crypto';
import { failureOf } from '~/features/application/email-failure.ts';
import {
  keepContent,
  markLetterFailed,
  markLetterSent,
  noteLetter,
} from '~/features/application/email-store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { withoutLinks } from './stored-letter.server.ts';
import { letterHtml } from './layout/letter-html.tsx';
import { letterText } from './layout/letter-text.ts';
import type { Letter } from './layout/letter.ts';
import { replyAddress } from './templates/letter-words.server.ts';
import {
  claimNotice,
  isSent,
  markSent,
  noteNotice,
  releaseNotice,
  type Notice,
} from './store.server.ts';

/**
 * Longer than any conversation with a mail server lasts (`mail.server.ts` gives up sooner): a process that took an
 * e-mail and has not come back until then has died.
 */
const CLAIM_MS = 10 * 60_000;

export type Occasion = {
  kind: Notice['kind'];
  /** What it is about: an application's id, an order's number. One occasion is one e-mail, however often its job runs. */
  subject: string;
  language: string;
  /** Applications in whose trail the e-mail is written down, and with which it is kept. */
  applicationIds: readonly string[];
  /** Of an e-mail that says again what was said: its own id, which makes it an occasion of its own. */
  again?: string;
};

/**
 * Sends one e-mail per occasion. Order of events: claim, send, mark. A process that dies between the second and the
 * third sends it again, with the same Message-ID, so that receivers can drop the double; nothing else doubles, nothing
 * is lost. Throws when the mail server does not take it, and while another process is at it: the queue tries again.
 */
export async function sendOnce(
  platform: Platform,
  { kind, subject, language, applicationIds, again }: Occasion,
  write: () => Promise<{ to: string; letter: Letter }>,
): Promise<void> {
  const { db, config, mail, sealer } = platform;
  const occasion = again === undefined ? `${kind}:${subject}` : `again:${again}`;
  const messageId = messageIdOf(occasion, config.publicUrl);
  const now = platform.now();
  const note = {
    id: again ?? randomUUID(),
    kind,
    occasion,
    subject,
    language,
    messageId,
    createdAt: now,
  };
  await noteNotice(db, note);
  const takenAfter = new Date(now.getTime() - CLAIM_MS);
  const claimed = await claimNotice(db, occasion, { now, takenAfter });
  if (!claimed) {
    if (await isSent(db, occasion)) return;
    throw new Error('Another process is sending this e-mail');
  }
  const { id, createdAt } = claimed;
  await noteLetter(db, { id, kind, about: subject, createdAt }, applicationIds);
  try {
    const { to, letter } = await write();
    const said = { to, subject: letter.subject, letter: withoutLinks(letter) };
    if (applicationIds.length > 0) await keepContent(db, sealer, id, said);
    const reply = replyAddress(await withOperator(platform));
    await mail.send({
      to,
      subject: letter.subject,
      html: letterHtml(letter, config.publicUrl),
      text: letterText(letter),
      messageId: claimed.messageId,
      language: letter.language,
      ...(reply && { headers: { 'Reply-To': reply } }),
    });
  } catch (error) {
    await releaseNotice(db, id);
    await markLetterFailed(db, id, { at: platform.now(), failure: failureOf(error) });
    throw error;
  }
  await db.transaction(async (tx) => {
    const at = platform.now();
    await markSent(tx, id, at);
    await markLetterSent(tx, id, at);
    for (const applicationId of applicationIds) {
      await audit(tx, {
        at,
        staffId: null,
        action: 'email_sent',
        subject: { kind: 'application', id: applicationId },
        detail: { kind },
      });
    }
  });
}

/** The same for every try of one occasion; says nothing about what it is (RFC 5322, 3.6.4). */
export function messageIdOf(occasion: string, publicUrl: string): string {
  const hash = createHash('sha256').update(occasion).digest('hex').slice(0, 32);
  return `<${hash}@${new URL(publicUrl).hostname}>`;
}
