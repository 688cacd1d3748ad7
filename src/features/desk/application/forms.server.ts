import { rejectionCodes } from '~/features/application/rejection.ts';
import type { Application } from '~/features/application/store.server.ts';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { auditReveals } from '~/features/staff/audit.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { correctable } from './correctable.ts';
import { askCorrection, checkAnswers, withdrawCorrection } from './ask-correction.server.ts';
import { assign } from '../queue/assign.server.ts';
import { claim } from './claim.server.ts';
import { decide } from './decide.server.ts';
import { draft } from './draft.server.ts';
import { LONGEST_REASON } from './decision-types.ts';
import { statusOf, type DeskError } from './desk-error.ts';
import { formText } from '~/platform/input/form-text.ts';
import { numbersOf, type DocumentNumbers } from './numbers.server.ts';
import { uploadedFile } from './uploaded-file.server.ts';

export type FormResult =
  | {
      kind: 'done';
      word: 'processing' | 'taken' | 'assigned' | 'asked' | 'withdrawn' | 'checked';
    }
  /** Nothing is decided yet: the author checks it first. */
  | { kind: 'draft'; id: string }
  | { kind: 'numbers'; numbers: DocumentNumbers }
  /** `reason` and `code`: what was typed and chosen, so that it is not lost. */
  | { kind: 'error'; error: DeskError; status: number; reason: string; code: string };

/** Handles the forms of the application page by `intent`. An action on an open application also claims it. */
export async function act(
  platform: Platform,
  staff: Staff,
  found: Application,
  form: FormData,
): Promise<FormResult> {
  const result = await perform(platform, staff, found, form);
  const hasActed =
    result.kind === 'draft' ||
    (result.kind === 'done' && !['taken', 'assigned'].includes(result.word));
  if (hasActed && !found.decidedAt) await claim(platform, staff, found.id);
  return result;
}

async function perform(
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
      if (found.kind !== 'visa') return refusal({ code: 'visa_only' });
      const decision = { kind: 'start_processing', ...asked } as const;
      const outcome = await decide(platform, staff, decision, { undoable: true });
      return outcome.ok ? { kind: 'done', word: 'processing' } : refusal(outcome.error);
    }
    case 'approve':
    case 'attach': {
      const kind = form.get('intent') === 'approve' ? 'approve' : 'attach';
      if (!may(staff.role, 'attach_document')) return refusal({ code: 'forbidden' });
      const file = await uploadedFile(platform, staff, { form, applicationId });
      if (!file.ok) return refusal({ code: file.error });
      const { fileId } = file;
      const outcome = await draft(platform, staff, found, { kind, fileId, seen });
      return outcome.ok ? { kind: 'draft', id: outcome.value } : refusal(outcome.error);
    }
    case 'reject': {
      const chosen = formText(form, 'reasonCode');
      const refuse = (error: DeskError) => refusal(error, reason, chosen);
      if (reason.length > LONGEST_REASON) return refuse({ code: 'reason_too_long' });
      const code = rejectionCodes.find((one) => one === chosen);
      const outcome = await draft(platform, staff, found, { kind: 'reject', code, reason, seen });
      return outcome.ok ? { kind: 'draft', id: outcome.value } : refuse(outcome.error);
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
    case 'checked': {
      if (!may(staff.role, 'ask_correction')) return refusal({ code: 'forbidden' });
      const outcome = await checkAnswers(platform, staff, applicationId);
      return outcome.ok ? { kind: 'done', word: 'checked' } : refusal(outcome.error);
    }
    case 'claim': {
      const { name, until } = await claim(platform, staff, applicationId);
      if (name !== null) return refusal({ code: 'claimed', name, until });
      return { kind: 'done', word: 'taken' };
    }
    case 'take': {
      await claim(platform, staff, applicationId, { takeOver: true });
      return { kind: 'done', word: 'taken' };
    }
    case 'assign': {
      if (!may(staff.role, 'assign')) return refusal({ code: 'forbidden' });
      if (found.decidedAt) return refusal({ code: 'stale', status: found.status, first: null });
      const note = formText(form, 'assignNote');
      const to = formText(form, 'colleague');
      const outcome = await assign(platform, staff, { applicationId, to, note });
      return outcome.ok ? { kind: 'done', word: 'assigned' } : refusal(outcome.error, note);
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
  await auditReveals(platform.db, staff, [found.id], platform.now());
  return { kind: 'numbers', numbers };
}

const refusal = (error: DeskError, reason = '', code = ''): FormResult => ({
  kind: 'error',
  error,
  status: statusOf(error),
  reason,
  code,
});
