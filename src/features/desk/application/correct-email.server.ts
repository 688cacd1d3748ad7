import { isEmailAddress } from '~/base/email-address.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { changeEmail } from '~/features/application/change-email-store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { settleEmail } from '~/platform/mail/mistyped-email.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { insertEmailCorrection } from './email-correction-store.server.ts';
import { readWhy, type WhyError } from './note.ts';
import { resendIn } from './resend-email.server.ts';

export type CorrectEmailError = 'invalid_email' | 'mistyped_email' | 'same_email' | WhyError;

/**
 * Corrects a traveller's mistyped email address in the application, in others of its order that had the same one, and
 * for the order's payer if it was theirs. Links sent to the old address stop working; the chosen emails are sent again
 * to the new one. Sent twice, it is refused as the same address. `id`: the form's, under which it finds the correction
 * afterwards. All or nothing.
 */
export async function correctEmail(
  platform: Platform,
  staff: Staff,
  typed: {
    id?: string;
    applicationId: string;
    email: string;
    /** The address chosen, where the page asked whether the typed one was mistyped. */
    emailAnswer: string;
    why: string;
    /** The emails to send again. */
    emailIds: readonly string[];
  },
): Promise<Outcome<null, CorrectEmailError>> {
  const { db, now, sealer } = platform;
  const { email, ask } = settleEmail(typed.email.trim(), typed.emailAnswer);
  if (!isEmailAddress(email)) return refused('invalid_email');
  if (ask !== null) return refused('mistyped_email');
  const why = readWhy(typed.why);
  if (!why.ok) return why;
  const at = now();
  const { id, applicationId } = typed;
  return db.transaction(async (tx) => {
    const changed = await changeEmail(tx, applicationId, email);
    if (!changed) return refused('same_email');
    for (const one of changed.applicationIds) {
      const own = one === applicationId;
      const content = { from: changed.from, to: email, why: why.value };
      const row = { applicationId: one, staffId: staff.id, at, content };
      await insertEmailCorrection(tx, sealer, own ? { ...row, id } : row);
      await audit(tx, {
        at,
        staffId: staff.id,
        action: 'email_corrected',
        subject: { kind: 'application', id: one },
        detail: { isPayer: changed.isPayer, emails: own ? typed.emailIds.length : 0 },
      });
    }
    // Emails that are still waiting go to the new address anyway.
    for (const emailId of new Set(typed.emailIds)) {
      await resendIn(tx, platform, staff, { id: emailId, applicationId });
    }
    return ok(null);
  });
}
