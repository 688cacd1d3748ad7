import { randomUUID } from 'node:crypto';
import type { Outcome } from '../../src/base/outcome.ts';
import { correctionsByApplication } from '../../src/features/application/correction/correction-store.server.ts';
import { correctionAddress } from '../../src/features/application/reopened.server.ts';
import { applicationEmails } from '../../src/features/application/change-email.server.ts';
import type { RejectionCode } from '../../src/features/application/rejection.ts';
import { applicationById, type Application } from '../../src/features/application/store.server.ts';
import {
  askCorrection,
  withdrawCorrection,
} from '../../src/features/desk/application/ask-correction.server.ts';
import { claimApplication } from '../../src/features/desk/application/claim.server.ts';
import { decideApplication } from '../../src/features/desk/application/decide.server.ts';
import {
  correctEmail,
  resendEmail,
} from '../../src/features/desk/application/case-emails.server.ts';
import { dismissDuplicate } from '../../src/features/desk/application/duplicates.server.ts';
import { addNote, strikeNote } from '../../src/features/desk/application/notes.server.ts';
import {
  refundOrder,
  releaseHeldRefund,
  withdrawHeldRefund,
} from '../../src/features/desk/money/refunds.server.ts';
import { putOffFields } from '../../src/features/desk/application/put-off.ts';
import { putOff } from '../../src/features/desk/application/put-off.server.ts';
import { textPdf } from '../../src/features/desk/application/testing/case-store.server.ts';
import { upload } from '../../src/features/desk/application/uploads.server.ts';
import type { RefundCause } from '../../src/features/order/refund-policy.ts';
import { orderByNumber } from '../../src/features/order/store.server.ts';
import type { Staff } from '../../src/features/staff/staff.ts';
import { correct } from '../../src/features/status/correct.server.ts';
import { readVisaDetails } from '../../src/features/visa/store/store.server.ts';
import type { Platform } from '../../src/platform/platform.server.ts';
import { needed } from '../needed.ts';

async function done<T, E>(outcome: Promise<Outcome<T, E>>): Promise<T> {
  const found = await outcome;
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
}

/** Actions of staff and travellers on an application, by the commands of the desk's pages. */
export function makeDesk(platform: Platform) {
  const { db, sealer } = platform;

  /** Uploads the e-visa that the authorities issued for an application. */
  async function uploadEvisa(staff: Staff, { id }: Application): Promise<string> {
    const found = needed(await applicationById(db, id));
    const [year, month, day] = found.dateOfBirth.split('-');
    const details = await readVisaDetails(db, sealer, id);
    const pdf = textPdf([
      'e-Visa',
      `Surname: ${found.lastName.toUpperCase()}`,
      `Given names: ${found.firstName.toUpperCase()}`,
      `Passport number: ${details?.passportNumber ?? ''}`,
      `Date of birth: ${day}/${month}/${year}`,
      `Reference: ${found.number}`,
    ]);
    return (await done(upload(platform, staff, pdf))).id;
  }

  return {
    isOpen: async ({ id }: Application) => (await applicationById(db, id))?.decidedAt === null,
    claim: (staff: Staff, { id }: Application) => claimApplication(platform, staff, id),
    process: (staff: Staff, { id, kind, number }: Application) => {
      const reference = kind === 'visa' ? `EV-2026/${number.slice(-6)}` : undefined;
      const decision = { kind: 'start_processing', applicationId: id, reference } as const;
      return done(decideApplication(platform, staff, decision));
    },
    putOff: (staff: Staff, { id: applicationId }: Application) => {
      const typed = { [putOffFields.reason]: 'authority', [putOffFields.end]: 'week' };
      return done(putOff(platform, staff, { applicationId, typed }));
    },
    approve: (staff: Staff, { id }: Application) =>
      done(decideApplication(platform, staff, { kind: 'approve', applicationId: id })),
    approveWithEvisa: async (staff: Staff, found: Application) => {
      const fileId = await uploadEvisa(staff, found);
      return done(
        decideApplication(platform, staff, { kind: 'approve', applicationId: found.id, fileId }),
      );
    },
    attachEvisa: async (staff: Staff, found: Application) => {
      const fileId = await uploadEvisa(staff, found);
      return done(
        decideApplication(platform, staff, { kind: 'attach', applicationId: found.id, fileId }),
      );
    },
    reject: (staff: Staff, { id }: Application, code: RejectionCode, reason?: string) =>
      done(decideApplication(platform, staff, { kind: 'reject', applicationId: id, code, reason })),

    ask: (staff: Staff, { id }: Application, fields: readonly string[], note: string) =>
      done(askCorrection(platform, staff, { applicationId: id, fields, note })),
    withdrawQuestion: (staff: Staff, { id }: Application) =>
      done(withdrawCorrection(platform, staff, id)),
    /** The traveller follows the link in the email and corrects the address. */
    async answer({ id }: Application, address: string): Promise<void> {
      const found = needed(await applicationById(db, id));
      const [asked] = (await correctionsByApplication(db, [id])).get(id) ?? [];
      const token = correctionAddress(platform, needed(asked), found).split('/').at(-1) ?? '';
      const form = new FormData();
      form.set('address', address);
      const answer = await correct(platform, token, form);
      if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    },

    note: async (staff: Staff, { id: applicationId }: Application, typed: string) => {
      const id = randomUUID();
      await done(addNote(platform, staff, { id, applicationId, typed }));
      return id;
    },
    strike: (staff: Staff, { id: applicationId }: Application, id: string, typed: string) =>
      done(strikeNote(platform, staff, { id, applicationId, typed })),
    async correctEmail(staff: Staff, { id: applicationId }: Application, email: string) {
      const [sent] = (await applicationEmails(db, sealer, applicationId)).filter(
        ({ sentAt }) => sentAt,
      );
      const correction = { applicationId, email, emailAnswer: '' };
      const why = 'The traveller rang: an e-mail was missing.';
      const emailIds = sent ? [sent.id] : [];
      await done(correctEmail(platform, staff, { ...correction, why, emailIds }));
    },
    async resend(staff: Staff, { id: applicationId }: Application) {
      const [email] = (await applicationEmails(db, sealer, applicationId)).filter(
        ({ sentAt }) => sentAt,
      );
      if (email) await done(resendEmail(platform, staff, { id: email.id, applicationId }));
    },
    dismiss: (staff: Staff, { id: applicationId }: Application, other: Application) =>
      done(
        dismissDuplicate(platform, staff, {
          applicationId,
          otherId: other.id,
          typed: 'Two journeys of one traveller, months apart.',
        }),
      ),

    async refund(staff: Staff, { orderNumber, number }: Application, cause: RefundCause) {
      const order = needed(await orderByNumber(db, orderNumber));
      const choice = { cause, askedAt: platform.now(), applications: [number] };
      return (await done(refundOrder(platform, staff, order, { choice }))).refund.id;
    },
    release: (staff: Staff, refundId: string) => done(releaseHeldRefund(platform, staff, refundId)),
    withdrawRefund: (staff: Staff, refundId: string) =>
      done(withdrawHeldRefund(platform, staff, refundId)),
  };
}
