import type { RejectionCode } from '~/features/application/rejection.ts';
import { currentDocument, type Application } from '~/features/application/store.server.ts';
import { visaDetailsOf } from '~/features/visa/store/store.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { approvedEmail, documentEmail } from './decided-email.server.ts';
import { emailHtml } from '~/features/email/layout/email-html.tsx';
import { wordsFor } from './email-words.server.ts';
import { recipientFor } from './occasions.server.ts';
import { rejectionEmail } from './rejected-email.server.ts';
import { unpaidRejection } from './unpaid-rejection.server.ts';

export type PlannedDecision = {
  kind: 'approve' | 'reject' | 'attach';
  fileId: string | null;
  rejectionCode: RejectionCode | null;
  words: string | null;
};

/** Stands where the download will be: it is made when the e-mail goes. */
const NOWHERE = '#';

/** The e-mail about a decision that is still to be sent, as it will be; pictures are asked for where it is shown. */
export async function previewDecision(
  platform: Platform,
  application: Application,
  { kind, fileId, rejectionCode, words: rejectionReason }: PlannedDecision,
): Promise<{ to: string; subject: string; html: string }> {
  const { db, sealer } = platform;
  const recipient = await recipientFor(platform, application);
  const words = wordsFor(await withOperator(platform), recipient.language);
  const visa = application.kind === 'visa' ? await visaDetailsOf(db, sealer, application.id) : null;
  const replaced = kind === 'attach' ? await currentDocument(db, application.id) : null;
  // An insurance that is approved without a file gets its certificate before its e-mail goes.
  const download = fileId !== null || application.kind === 'insurance' ? NOWHERE : null;
  const decided = { ...application, rejectionCode, rejectionReason };
  const facts = { application: decided, recipient, visa, download };
  const unpaid = kind === 'reject' ? await unpaidRejection(db, decided) : null;
  const write = {
    approve: () => approvedEmail(words, facts),
    reject: () => rejectionEmail(words, facts, unpaid, NOWHERE),
    attach: () =>
      documentEmail(words, {
        ...facts,
        download: NOWHERE,
        replacedOf: replaced?.createdAt ?? null,
      }),
  };
  const content = write[kind]();
  return { to: recipient.to, subject: content.subject, html: emailHtml(content, '') };
}
