import type { Application } from '~/features/application/store.server.ts';
import { applicationStatuses } from '~/features/application/status.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { correctable } from '~/features/visa/correction/correctable.ts';
import { askCorrection, withdrawCorrection } from './ask-correction.server.ts';
import { claim } from './claim.server.ts';
import { approve, attach, reject, startProcessing } from './decide.server.ts';
import { LONGEST_REASON, type DecisionError } from './decision.ts';
import { formText } from './form-text.ts';
import { numbersOf, type DocumentNumbers } from './numbers.server.ts';
import { MAX_PDF_BYTES, type PdfError } from './pdf.server.ts';
import { upload } from './uploads.server.ts';

/** What can go wrong with a form of the desk; words in `desk:error.<code>`. */
export type DeskError =
  | DecisionError
  | { code: PdfError | 'document_required' | 'reason_too_long' };

export type FormResult =
  | {
      kind: 'done';
      word: 'processing' | 'approved' | 'rejected' | 'attached' | 'taken' | 'asked' | 'withdrawn';
    }
  | { kind: 'numbers'; numbers: DocumentNumbers }
  /** `reason` is what was typed, so that it is not lost. */
  | { kind: 'error'; error: DeskError; status: number; reason: string };

/** Does what a form of the application page asks for; `intent` says what. */
export async function act(
  platform: Platform,
  staff: Staff,
  found: Application,
  form: FormData,
): Promise<FormResult> {
  const applicationId = found.id;
  const seen = applicationStatuses.find((status) => status === form.get('seen'));
  const asked = { applicationId, seen };
  const reason = formText(form, 'reason');

  switch (form.get('intent')) {
    case 'start': {
      if (!may(staff.role, 'start_processing')) return refusal({ code: 'forbidden' });
      const outcome = await startProcessing(platform, staff, asked);
      return outcome.ok ? { kind: 'done', word: 'processing' } : refusal(outcome.error);
    }
    case 'approve': {
      if (!may(staff.role, 'approve')) return refusal({ code: 'forbidden' });
      const file = await uploadedFile(platform, staff, form);
      if (!file.ok) return refusal({ code: file.error });
      const outcome = await approve(platform, staff, { ...asked, fileId: file.fileId });
      return outcome.ok ? { kind: 'done', word: 'approved' } : refusal(outcome.error);
    }
    case 'reject': {
      if (!may(staff.role, 'reject')) return refusal({ code: 'forbidden' }, reason);
      if (reason.length > LONGEST_REASON) return refusal({ code: 'reason_too_long' }, reason);
      const outcome = await reject(platform, staff, { ...asked, reason });
      return outcome.ok ? { kind: 'done', word: 'rejected' } : refusal(outcome.error, reason);
    }
    case 'attach': {
      if (!may(staff.role, 'attach_document')) return refusal({ code: 'forbidden' });
      const file = await uploadedFile(platform, staff, form);
      if (!file.ok) return refusal({ code: file.error });
      if (file.fileId === undefined) return refusal({ code: 'document_required' });
      const outcome = await attach(platform, staff, { applicationId, fileId: file.fileId });
      return outcome.ok ? { kind: 'done', word: 'attached' } : refusal(outcome.error);
    }
    case 'correction': {
      if (!may(staff.role, 'ask_correction')) return refusal({ code: 'forbidden' });
      const note = formText(form, 'note');
      const fields = correctable.filter((field) => form.has(`reopen-${field}`));
      const outcome = await askCorrection(platform, staff, { applicationId, fields, note });
      return outcome.ok ? { kind: 'done', word: 'asked' } : refusal(outcome.error, note);
    }
    case 'withdraw': {
      if (!may(staff.role, 'ask_correction')) return refusal({ code: 'forbidden' });
      const outcome = await withdrawCorrection(platform, staff, applicationId);
      return outcome.ok ? { kind: 'done', word: 'withdrawn' } : refusal(outcome.error);
    }
    case 'take': {
      await claim(platform, staff, applicationId, { takeOver: true });
      return { kind: 'done', word: 'taken' };
    }
    case 'reveal':
      return reveal(platform, staff, found);
    default:
      return refusal({ code: 'not_found' });
  }
}

async function reveal(platform: Platform, staff: Staff, found: Application): Promise<FormResult> {
  const numbers = await numbersOf(platform, found);
  if (!numbers || !may(staff.role, 'reveal_numbers')) return refusal({ code: 'forbidden' });
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'numbers_revealed',
    subject: { kind: 'application', id: found.id },
  });
  return { kind: 'numbers', numbers };
}

type ReadFile = { ok: true; fileId: string | undefined } | { ok: false; error: PdfError };

/** A browser sends an empty file where none was chosen. */
async function uploadedFile(platform: Platform, staff: Staff, form: FormData): Promise<ReadFile> {
  const file = form.get('document');
  if (!(file instanceof File) || file.size === 0) return { ok: true, fileId: undefined };
  if (file.size > MAX_PDF_BYTES) return { ok: false, error: 'too_large' };
  const uploaded = await upload(platform, staff, new Uint8Array(await file.arrayBuffer()));
  return uploaded.ok ? { ok: true, fileId: uploaded.value.id } : uploaded;
}

const statuses: Partial<Record<DeskError['code'], number>> = {
  stale: 409,
  claimed: 409,
  already_waiting: 409,
  not_waiting: 409,
  unpaid: 409,
  not_approved: 409,
  forbidden: 403,
  not_found: 404,
};

const refusal = (error: DeskError, reason = ''): FormResult => ({
  kind: 'error',
  error,
  status: statuses[error.code] ?? 422,
  reason,
});
