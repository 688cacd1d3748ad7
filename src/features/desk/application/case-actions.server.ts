import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { rejectionCodes } from '~/features/application/rejection.ts';
import type { Application } from '~/features/application/store.server.ts';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { auditReveals } from '~/features/staff/audit.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { resolveEmail } from '~/platform/mail/mistyped-email.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { assignApplication, claimAfterAction, claimApplication } from './claim.server.ts';
import { askCorrection, checkAnswers, withdrawCorrection } from './ask-correction.server.ts';
import {
  AUTHORITY_REFERENCE,
  caseActionNames,
  MESSAGE,
  MESSAGE_TEMPLATE,
  SEEN_UNTIL,
  fieldName,
  REASON_CODE,
  RESENT,
  actionRules,
  WHY,
  type CaseAction,
  type CaseProblem,
  correctable,
} from './case-actions.ts';
import { correctEmail, resendEmail } from './case-emails.server.ts';
import { decideApplication, setReference, tableRefusal } from './decide.server.ts';
import {
  MAX_REJECTION_REASON_LENGTH,
  type CaseFileError,
  type DeskError,
} from './decision-types.ts';
import { draftDecision, draftMessage } from './draft.server.ts';
import { dismissDuplicate } from './duplicates.server.ts';
import { readMessages } from '~/features/application/messages/messages.server.ts';
import { addNote, editNote, strikeNote } from './notes.server.ts';
import { putOff, resume } from './put-off.server.ts';
import { readMessage } from './send-message.server.ts';
import { readDocumentNumbers, type DocumentNumbers } from './store.server.ts';
import { uploadedFile } from './uploads.server.ts';

/** `draft`: nothing is decided yet; its author checks it first. `numbers`: the document numbers in full. */
type Done = { draft?: string; numbers?: DocumentNumbers };

type Asked = {
  platform: Platform;
  staff: Staff;
  found: Application;
  form: FormData;
  /** The id of the note, email or other application that the form is about. */
  about: string;
  /** The text of a form with a single field. */
  typed: string;
  /** All texts of the form, by their fields. */
  texts: Readonly<Record<string, string>>;
};

type Performed = Promise<Outcome<Done, DeskError>>;

/** What each action does with its form, once `caseRefusal` has found nothing against it. */
const performs: Record<CaseAction, (asked: Asked) => Performed> = {
  async claim({ platform, staff, found }) {
    const { name, until } = await claimApplication(platform, staff, found.id);
    return name === null ? ok({}) : refused({ code: 'claimed', name, until });
  },
  async take({ platform, staff, found }) {
    await claimApplication(platform, staff, found.id, { takeOver: true });
    return ok({});
  },
  assign: ({ platform, staff, found, form }) =>
    done(
      assignApplication(platform, staff, {
        applicationId: found.id,
        to: formText(form, 'colleague'),
        note: formText(form, 'assignNote'),
      }),
    ),
  put_off: ({ platform, staff, found, texts: typed }) =>
    done(putOff(platform, staff, { applicationId: found.id, typed })),
  resume: ({ platform, staff, found }) => done(resume(platform, staff, found.id)),
  async reveal({ platform, staff, found }) {
    const numbers = await readDocumentNumbers(platform, found);
    if (!numbers) return refused({ code: 'forbidden' });
    await auditReveals(platform.db, staff, [found.id], platform.now());
    return ok({ numbers });
  },
  start_processing: ({ platform, staff, found, form }) => {
    const decision = {
      kind: 'start_processing',
      applicationId: found.id,
      reference: formText(form, AUTHORITY_REFERENCE),
      seen: seenIn(form),
    } as const;
    return done(decideApplication(platform, staff, decision, { undoable: true }));
  },
  set_reference: ({ platform, staff, found, form }) => {
    const typed = formText(form, AUTHORITY_REFERENCE);
    return done(setReference(platform, staff, { applicationId: found.id, typed }));
  },
  approve: (asked) => draftWithFile(asked, 'approve'),
  attach: (asked) => draftWithFile(asked, 'attach'),
  async reject({ platform, staff, found, form }) {
    const reason = formText(form, 'reason');
    if (reason.length > MAX_REJECTION_REASON_LENGTH) return refused({ code: 'reason_too_long' });
    const code = rejectionCodes.find((one) => one === formText(form, REASON_CODE));
    const decision = { kind: 'reject', code, reason, seen: seenIn(form) } as const;
    return drafted(draftDecision(platform, staff, found, decision));
  },
  correction: ({ platform, staff, found, form }) =>
    done(
      askCorrection(platform, staff, {
        applicationId: found.id,
        fields: correctable.filter((field) => form.has(`reopen-${field}`)),
        note: formText(form, 'note'),
      }),
    ),
  withdraw: ({ platform, staff, found }) => done(withdrawCorrection(platform, staff, found.id)),
  checked: ({ platform, staff, found }) => done(checkAnswers(platform, staff, found.id)),
  note: (asked) => done(addNote(asked.platform, asked.staff, noteIn(asked))),
  edit_note: (asked) => done(editNote(asked.platform, asked.staff, noteIn(asked))),
  strike_note: (asked) => done(strikeNote(asked.platform, asked.staff, noteIn(asked))),
  async message({ platform, staff, found, form }) {
    const typed = formText(form, MESSAGE);
    const text = await readMessage(platform, found, {
      typed,
      template: formText(form, MESSAGE_TEMPLATE),
    });
    const seenUntil = new Date(Number(formText(form, SEEN_UNTIL)) || platform.now());
    return drafted(draftMessage(platform, staff, found, { text, seenUntil }));
  },
  read_messages: ({ platform, staff, found }) => done(readMessages(platform, staff, found.id)),
  resend_email: ({ platform, staff, found, about: id }) =>
    done(resendEmail(platform, staff, { id, applicationId: found.id })),
  correct_email: ({ platform, staff, found, form, about: id, typed: email }) =>
    done(
      correctEmail(platform, staff, {
        id,
        applicationId: found.id,
        email,
        emailAnswer: formText(form, EMAIL_ANSWER),
        why: formText(form, WHY),
        emailIds: [...form.keys()]
          .filter((name) => name.startsWith(RESENT))
          .map((name) => name.slice(RESENT.length))
          .filter((emailId) => isUuid(emailId)),
      }),
    ),
  dismiss_duplicate: ({ platform, staff, found, about: otherId, typed }) =>
    done(dismissDuplicate(platform, staff, { applicationId: found.id, otherId, typed })),
};

/** Those whose form is about a note, an email or another application, by its id. */
const withSubject: readonly CaseAction[] = [
  'note',
  'edit_note',
  'strike_note',
  'resend_email',
  'correct_email',
  'dismiss_duplicate',
];

/** Why the form of an action does nothing for an application, whatever it says; null where it may. */
export async function caseRefusal(
  db: Queryable,
  staff: Staff,
  found: Application,
  action: CaseAction,
): Promise<DeskError | null> {
  const { kind = found.kind } = actionRules(action);
  const refusal = await tableRefusal(db, staff, found, action);
  return refusal ?? (kind === found.kind ? null : { code: 'visa_only' });
}

/**
 * Handles a form of the page of an application by its `intent`. Some actions on an open application also claim it, see
 * `claim`.
 */
export async function handleCaseForm(
  platform: Platform,
  staff: Staff,
  found: Application,
  form: FormData,
): Promise<Outcome<Done & { action: CaseAction }, CaseProblem>> {
  const action = caseActionNames.find((one) => one === form.get('intent')) ?? null;
  const about = formText(form, 'about');
  const texts: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === 'string') texts[name] = value;
  const refuse = (error: DeskError) =>
    refused({
      action,
      about,
      error,
      typed: texts,
      ask: action === 'correct_email' ? askOf(form, about) : null,
    });
  if (action === null) return refuse({ code: 'not_found' });
  const refusal = await caseRefusal(platform.db, staff, found, action);
  if (refusal) return refuse(refusal);
  if (withSubject.includes(action) && !isUuid(about)) return refuse({ code: 'unknown_note' });
  const typed = formText(form, fieldName(action, about));
  const asked = { platform, staff, found, form, about, typed, texts };
  const performed = await performs[action](asked);
  if (!performed.ok) return refuse(performed.error);
  if (actionRules(action).claim === 'taken') await claimAfterAction(platform, staff, found);
  return ok({ action, ...performed.value });
}

const done = async (work: Promise<Outcome<unknown, DeskError | CaseFileError>>): Performed => {
  const outcome = await work;
  if (outcome.ok) return ok({});
  return refused(typeof outcome.error === 'string' ? { code: outcome.error } : outcome.error);
};

const drafted = async (work: Promise<Outcome<string, DeskError>>): Performed => {
  const outcome = await work;
  return outcome.ok ? ok({ draft: outcome.value }) : outcome;
};

async function draftWithFile(
  { platform, staff, found, form }: Asked,
  kind: 'approve' | 'attach',
): Performed {
  if (!may(staff.role, 'attach_document')) return refused({ code: 'forbidden' });
  const file = await uploadedFile(platform, staff, { form, applicationId: found.id });
  if (!file.ok) return refused({ code: file.error });
  const decision = { kind, fileId: file.value, seen: seenIn(form) };
  return drafted(draftDecision(platform, staff, found, decision));
}

const askOf = (form: FormData, about: string) =>
  resolveEmail(formText(form, fieldName('correct_email', about)), formText(form, EMAIL_ANSWER)).ask;

const noteIn = ({ found, about: id, typed }: Asked) => ({ id, applicationId: found.id, typed });

const seenIn = (form: FormData) =>
  applicationStatuses.find((status) => status === form.get('seen'));
