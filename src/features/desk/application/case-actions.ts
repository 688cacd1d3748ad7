import type { CodeIn } from '~/base/text-keys.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { AuditAction } from '~/features/staff/audit-words.ts';
import { may, type Role, type StaffAction } from '~/features/staff/roles.ts';
import type { DeskError } from './decision-types.ts';
import { correctable as ofInsurance } from '~/features/insurance/correctable.ts';
import { correctable as ofVisa, visaCorrectable } from '~/features/visa/correctable.ts';

/** Where an application stands, as far as it decides what staff may do: its status, and `unpaid` before the payment. */
const caseStates = ['unpaid', 'pending', 'processing', 'approved', 'rejected'] as const;
type CaseState = (typeof caseStates)[number];

const PAID_AND_OPEN = ['pending', 'processing'] as const;
const OPEN = ['unpaid', ...PAID_AND_OPEN] as const;

type CaseActionRules = {
  /**
   * The capital that leads to its form, and sends nothing (`desk-keys.tsx`); its words are `desk:keys.does.<action>`. Two
   * share one where they stand in each other's place.
   */
  key: string;
  right: StaffAction;
  /** The right needed where the application has a document already. */
  rightToReplace?: StaffAction;
  states: readonly CaseState[];
  /** The only kind whose pages offer it. A specified call may do it for the other kind as well. */
  kind?: 'visa';
  /**
   * While somebody else works on the application: `ignored`, it is possible all the same; `respected`, it is refused;
   * `taken`, it is refused as well, and whoever does it works on the application from then on.
   */
  claim: 'ignored' | 'respected' | 'taken';
  /** Its author may take it back for some seconds. */
  undoable?: true;
  /** What the page says afterwards, and its address; null where the page says something else. */
  done: CodeIn<'desk', 'done'> | null;
  /** The section of the page that says so. */
  place?: 'messages' | 'notes' | 'emails' | 'email';
  /** The one audit entry that it leaves about the application; null where its claim says who did it. */
  audit: AuditAction | null;
  /** That entry stands in the timeline, as the action leaves nothing else to show there. */
  inTimeline?: true;
};

/**
 * All that staff can do with an application: in which state, and with which right. Keys are the `intent` of its form.
 * The page of an application, the queue, the decisions on several, the calls and the table of access go by it.
 */
export const caseActions = {
  claim: {
    key: 'T',
    right: 'view_applications',
    states: OPEN,
    done: 'taken',
    claim: 'respected',
    audit: null,
  },
  take: {
    key: 'T',
    right: 'view_applications',
    states: OPEN,
    done: 'taken',
    claim: 'ignored',
    audit: 'claim_taken_over',
    inTimeline: true,
  },
  assign: {
    key: 'G',
    right: 'assign',
    states: OPEN,
    done: 'assigned',
    claim: 'respected',
    audit: 'case_assigned',
    inTimeline: true,
  },
  put_off: {
    key: 'L',
    right: 'view_applications',
    // Approved ones as long as their PDF is missing.
    states: [...PAID_AND_OPEN, 'approved'],
    done: 'put_off',
    claim: 'respected',
    audit: 'put_off',
    inTimeline: true,
  },
  resume: {
    key: 'L',
    right: 'view_applications',
    states: [...PAID_AND_OPEN, 'approved'],
    done: 'resumed',
    claim: 'ignored',
    audit: 'put_off_ended',
    inTimeline: true,
  },
  reveal: {
    key: 'P',
    right: 'reveal_numbers',
    states: caseStates,
    done: null,
    claim: 'ignored',
    audit: 'numbers_revealed',
    inTimeline: true,
  },
  start_processing: {
    key: 'S',
    right: 'start_processing',
    states: ['pending'],
    kind: 'visa',
    undoable: true,
    done: 'processing',
    claim: 'taken',
    audit: 'processing_started',
  },
  set_reference: {
    key: 'S',
    right: 'start_processing',
    states: ['processing'],
    kind: 'visa',
    done: 'reference_saved',
    claim: 'taken',
    audit: 'reference_set',
    inTimeline: true,
  },
  approve: {
    key: 'A',
    right: 'approve',
    states: PAID_AND_OPEN,
    undoable: true,
    done: 'approved',
    claim: 'taken',
    audit: 'approved',
  },
  reject: {
    key: 'R',
    right: 'reject',
    states: OPEN,
    undoable: true,
    done: 'rejected',
    claim: 'taken',
    audit: 'rejected',
  },
  attach: {
    key: 'D',
    right: 'attach_document',
    rightToReplace: 'replace_document',
    states: ['approved'],
    undoable: true,
    done: 'attached',
    claim: 'ignored',
    audit: 'document_attached',
  },
  correction: {
    key: 'C',
    right: 'ask_correction',
    states: PAID_AND_OPEN,
    done: 'asked',
    claim: 'taken',
    audit: 'correction_asked',
  },
  withdraw: {
    key: 'C',
    right: 'ask_correction',
    states: PAID_AND_OPEN,
    done: 'withdrawn',
    claim: 'taken',
    audit: 'correction_withdrawn',
  },
  checked: {
    key: 'V',
    right: 'ask_correction',
    states: PAID_AND_OPEN,
    done: 'checked',
    claim: 'taken',
    audit: 'correction_checked',
    inTimeline: true,
  },
  note: {
    key: 'W',
    right: 'write_note',
    states: caseStates,
    done: 'note_added',
    place: 'notes',
    claim: 'ignored',
    audit: 'note_added',
  },
  edit_note: {
    key: 'B',
    right: 'write_note',
    states: caseStates,
    done: 'note_edited',
    place: 'notes',
    claim: 'ignored',
    audit: 'note_edited',
  },
  strike_note: {
    key: 'X',
    right: 'strike_note',
    states: caseStates,
    done: 'note_struck',
    place: 'notes',
    claim: 'ignored',
    audit: 'note_struck',
  },
  message: {
    key: 'Y',
    right: 'write_message',
    states: caseStates,
    undoable: true,
    done: 'message_sent',
    claim: 'ignored',
    audit: 'message_sent',
    inTimeline: true,
  },
  read_messages: {
    key: 'I',
    right: 'write_note',
    states: caseStates,
    done: 'messages_read',
    place: 'messages',
    claim: 'ignored',
    audit: 'messages_read',
  },
  resend_email: {
    key: 'M',
    right: 'resend_email',
    states: caseStates,
    done: 'email_resent',
    place: 'emails',
    claim: 'ignored',
    audit: 'email_resent',
  },
  correct_email: {
    key: 'E',
    right: 'correct_email',
    states: caseStates,
    done: 'email_corrected',
    place: 'email',
    claim: 'ignored',
    audit: 'email_corrected',
  },
  dismiss_duplicate: {
    key: 'O',
    right: 'dismiss_duplicate',
    states: caseStates,
    done: 'duplicate_dismissed',
    claim: 'ignored',
    audit: 'duplicate_dismissed',
    inTimeline: true,
  },
} as const satisfies Record<string, CaseActionRules>;

export type CaseAction = keyof typeof caseActions;

export const caseActionNames = Object.keys(caseActions) as CaseAction[];

/** The rules of an action. */
export const actionRules = (action: CaseAction): CaseActionRules => caseActions[action];

/** The key of the copy sheet. */
export const COPY_KEY = 'F';

/** An attribute of what the key of an action leads to: a button, a field, or the summary of what holds its form. */
export const keyOf = (action: CaseAction) => ({ 'aria-keyshortcuts': caseActions[action].key });

/** What of an application decides what may be done. `hasDocument`: it has one that the traveller may have already. */
type CaseFacts = { status: ApplicationStatus; paid: boolean; hasDocument?: boolean };

/**
 * Why an action is not possible; null where it is. The commands know more: whether somebody else works on the
 * application, whether it is being refunded, whether a correction is open.
 */
export function actionRefusal(
  action: CaseAction,
  { status, paid, hasDocument = false }: CaseFacts,
  role: Role,
): 'forbidden' | 'unpaid' | 'not_approved' | 'stale' | null {
  const { right, rightToReplace, states } = actionRules(action);
  if (!may(role, right)) return 'forbidden';
  const isOpen = status === 'pending' || status === 'processing';
  const state = isOpen && !paid ? 'unpaid' : status;
  if (states.includes(state)) {
    return hasDocument && rightToReplace && !may(role, rightToReplace) ? 'forbidden' : null;
  }
  if (!states.some((one) => one !== 'approved')) return 'not_approved';
  return state === 'unpaid' ? 'unpaid' : 'stale';
}

/** Whether a page shows the form of an action. */
export const isActionOffered = (
  action: CaseAction,
  application: CaseFacts & { kind: 'visa' | 'insurance' },
  role: Role,
): boolean =>
  actionRefusal(action, application, role) === null &&
  (actionRules(action).kind ?? application.kind) === application.kind;

/** What a page can say it has done; `undone`: of the last decision, from any page of the desk. */
export const doneWords = [
  ...caseActionNames.flatMap((one) => actionRules(one).done ?? []),
  'undone' as const,
];
export type DoneWord = (typeof doneWords)[number];

/** A refused form, with all that was typed into it. `about`: the id of the note, email or application that it is about. */
export type CaseProblem = {
  action: CaseAction | null;
  about: string;
  error: DeskError;
  typed: Readonly<Record<string, string>>;
  /** The address that was probably meant by one that looks mistyped. */
  ask?: string | null;
};

/** The choice of a rejection's reason. */
export const REASON_CODE = 'reasonCode';
/** The text of a message, the choice of its template, and until when its author has seen what was written before. */
export const MESSAGE = 'messageText';
export const MESSAGE_TEMPLATE = 'messageTemplate';
export const SEEN_UNTIL = 'seenUntil';
/** The number under which the authority keeps an application, in the forms that hand it in or correct it. */
export const AUTHORITY_REFERENCE = 'authorityReference';
/** The fields of a correction: the first box carries it as `id`. */
export const CORRECTION_FIELDS = 'reopen';
/** The reason for another email address, and one box for each email to send again. */
export const WHY = 'emailWhy';
export const RESENT = 'resend-';

/** The name of a form's text field. It must be unique on the page, because the control's id is its name. */
export const fieldName = (action: CaseAction, about: string): string => `${action}-${about}`;

/** The field that a refusal is about; null for what no field can mend: somebody was first, or it is not there. */
export function refusedField({
  action,
  about,
  error: { code },
  typed,
}: CaseProblem): string | null {
  if (action === null) return null;
  const own = fieldName(action, about);
  switch (code) {
    case 'reason_required':
      return typed[REASON_CODE] ? 'reason' : REASON_CODE;
    case 'reason_unknown':
      return REASON_CODE;
    case 'reason_too_long':
      return 'reason';
    case 'reference_unreal':
      return AUTHORITY_REFERENCE;
    case 'put_off_reason':
    case 'put_off_words':
    case 'put_off_end':
    case 'put_off_day':
      return code;
    case 'fields_required':
      return CORRECTION_FIELDS;
    case 'message_required':
    case 'message_too_long':
    case 'address_refused':
    case 'answered':
      return MESSAGE;
    case 'note_too_long':
      return 'note';
    case 'unknown_colleague':
      return 'colleague';
    case 'long_note':
      return action === 'assign' ? 'colleague' : own;
    case 'empty_why':
    case 'long_why':
      return action === 'correct_email' ? WHY : own;
    case 'empty_note':
    case 'invalid_email':
    case 'mistyped_email':
    case 'same_email':
      return own;
    default:
      return null;
  }
}

/** The fields that a traveller can be asked to correct, by kind and supporting document. */
export const correctableByKind = (
  kind: 'visa' | 'insurance',
  document: { issuer: string | null } | null,
): readonly string[] => (kind === 'visa' ? visaCorrectable(document) : ofInsurance);

/** The fields that the traveller of an application can be asked to correct. */
export const applicationCorrectable = ({
  kind,
  visa,
}: {
  kind: 'visa' | 'insurance';
  visa: { supportingDocument: { issuerCode: string | null } | null } | null;
}): readonly string[] =>
  correctableByKind(
    kind,
    visa?.supportingDocument ? { issuer: visa.supportingDocument.issuerCode } : null,
  );

/** All fields that any traveller can be asked to correct. */
export const correctable: readonly string[] = [...new Set<string>([...ofVisa, ...ofInsurance])];
