import type { RejectionCode } from '~/features/application/rejection.ts';
import { currentDocument, type Application } from '~/features/application/store.server.ts';
import { quoteRejection } from '~/features/status/rejection-refund.server.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { approvedEmail, documentEmail } from './kinds/approved.server.ts';
import { emailHtml } from './layout/email-html.tsx';
import { emailWords, readRecipient } from './kinds/kind.server.ts';
import { messageEmail } from './kinds/message.server.ts';
import { rejectionEmail, unpaidRejection } from './kinds/rejected.server.ts';

type PlannedDecision = {
  kind: 'approve' | 'reject' | 'attach' | 'message';
  fileId: string | null;
  rejectionCode: RejectionCode | null;
  words: string | null;
};

/** Placeholder for the download link, which is made when the email is sent. */
const NOWHERE = '#';

/** The email about a decision, or the message, before it is sent. Its pictures are relative, for the page that shows it. */
export async function previewDecision(
  platform: Platform,
  application: Application,
  { kind, fileId, rejectionCode, words: rejectionReason }: PlannedDecision,
): Promise<{ to: string; language: string; subject: string; html: string }> {
  const { db, sealer } = platform;
  const recipient = await readRecipient(platform, application);
  const words = emailWords(await withOperator(platform), recipient.language);
  const visa =
    application.kind === 'visa' ? await readVisaDetails(db, sealer, application.id) : null;
  const replaced = kind === 'attach' ? await currentDocument(db, application.id) : null;
  // For an approved insurance without a file the certificate is made before the email is sent.
  const download = fileId !== null || application.kind === 'insurance' ? NOWHERE : null;
  // The text of a reason is the one of the moment of the decision.
  const at = platform.now();
  const decided = { ...application, rejectionCode, rejectionReason, decidedAt: at };
  const facts = { application: decided, recipient, visa, download };
  const unpaid = kind === 'reject' ? await unpaidRejection(db, decided) : null;
  const planned = { code: rejectionCode, at };
  const refund = kind === 'reject' ? await quoteRejection(db, application, planned) : null;
  const write = {
    approve: () => approvedEmail(words, facts),
    reject: () => rejectionEmail(words, facts, { unpaid, refund }, NOWHERE),
    attach: () =>
      documentEmail(words, {
        ...facts,
        download: NOWHERE,
        replacedOf: replaced?.createdAt ?? null,
      }),
    message: () => messageEmail(words, facts, rejectionReason ?? ''),
  };
  const content = write[kind]();
  const { to, language } = recipient;
  return { to, language, subject: content.subject, html: emailHtml(content, '') };
}
