import { ok, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { may, type StaffAction } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { settleEmail } from '~/platform/mail/mistyped-email.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { formText } from '~/platform/input/form-text.ts';
import {
  fieldName,
  RESENT,
  WHY,
  type CaseFileDone,
  type CaseFileError,
  type CaseFileProblem,
} from './case-file-answer.ts';
import { dismissDuplicate } from './duplicates.server.ts';
import { correctEmail } from './correct-email.server.ts';
import { resendEmail } from './resend-email.server.ts';
import { addNote, editNote, strikeNote } from './notes.server.ts';

type Form = {
  applicationId: string;
  /** The id of the note, email or other application that the form is about. */
  about: string;
  typed: string;
  /** Further fields of the address's correction. */
  correction: { emailAnswer: string; why: string; emailIds: string[] };
};

type FormAction = {
  may: StaffAction;
  done: CaseFileDone;
  run(platform: Platform, staff: Staff, form: Form): Promise<Outcome<null, CaseFileError>>;
};

/** The action of each form below an application's facts, by `intent`. */
const formActions: Record<string, FormAction> = {
  note: {
    may: 'write_note',
    done: 'note_added',
    run: (platform, staff, { about: id, ...form }) => addNote(platform, staff, { id, ...form }),
  },
  edit_note: {
    may: 'write_note',
    done: 'note_edited',
    run: (platform, staff, { about: id, ...form }) => editNote(platform, staff, { id, ...form }),
  },
  strike_note: {
    may: 'strike_note',
    done: 'note_struck',
    run: (platform, staff, { about: id, ...form }) => strikeNote(platform, staff, { id, ...form }),
  },
  resend_email: {
    may: 'resend_email',
    done: 'email_resent',
    run: (platform, staff, { about: id, applicationId }) =>
      resendEmail(platform, staff, { id, applicationId }),
  },
  correct_email: {
    may: 'correct_email',
    done: 'email_corrected',
    run: (platform, staff, { about: id, applicationId, typed: email, correction }) =>
      correctEmail(platform, staff, { id, applicationId, email, ...correction }),
  },
  dismiss_duplicate: {
    may: 'dismiss_duplicate',
    done: 'duplicate_dismissed',
    run: (platform, staff, { about: otherId, ...form }) =>
      dismissDuplicate(platform, staff, { otherId, ...form }),
  },
};

/** Whether a submitted form is one of these. */
export const isCaseFileForm = (form: FormData): boolean =>
  Object.hasOwn(formActions, formText(form, 'intent'));

/** Runs the form's action. */
export async function handleCaseFileForm(
  platform: Platform,
  staff: Staff,
  applicationId: string,
  form: FormData,
): Promise<Outcome<CaseFileDone, CaseFileProblem & { status: number }>> {
  const intent = formText(form, 'intent');
  const about = formText(form, 'about');
  const typed = formText(form, fieldName(intent, about));
  const correction = {
    emailAnswer: formText(form, EMAIL_ANSWER),
    why: formText(form, WHY),
    emailIds: [...form.keys()].flatMap((name) =>
      name.startsWith(RESENT) && isUuid(name.slice(RESENT.length))
        ? [name.slice(RESENT.length)]
        : [],
    ),
  };
  const refuse = (code: CaseFileError) => ({
    ok: false as const,
    error: {
      code,
      intent,
      about,
      typed,
      ...(intent === 'correct_email' && {
        why: correction.why,
        emails: correction.emailIds,
        ask: settleEmail(typed, correction.emailAnswer).ask,
      }),
      status: statuses[code] ?? 422,
    },
  });
  const formAction = formActions[intent];
  if (!formAction || !isUuid(about)) return refuse('unknown_note');
  if (!may(staff.role, formAction.may)) return refuse('forbidden');
  const outcome = await formAction.run(platform, staff, {
    applicationId,
    about,
    typed,
    correction,
  });
  return outcome.ok ? ok(formAction.done) : refuse(outcome.error);
}

const statuses: Partial<Record<CaseFileError, number>> = {
  forbidden: 403,
  unknown_note: 404,
  struck_note: 409,
  late_edit: 409,
  unknown_email: 404,
  unknown_duplicate: 404,
  waiting_email: 409,
  many_emails: 429,
};
