import { rejectionCodes } from '~/features/application/rejection.ts';
import { applicationStatuses, isFinal } from '~/features/application/status-machine.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { may, type StaffAction } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { uploadedFile } from '../application/uploads.server.ts';
import { correctable } from '../application/correctable.ts';
import { LONGEST_REASON } from '../application/decision-types.ts';
import { statusOf, type DeskError } from '../application/desk-error.ts';
import { formText } from '~/platform/input/form-text.ts';
import {
  askTogether,
  draftTogether,
  sendTogether,
  type TravellerDraft,
  type TravellerOutcome,
} from './decide-together.server.ts';

/** `action`: what was to be done. `typed`: so that nothing is lost where something was refused. */
export type GroupAnswer = {
  action: 'approve' | 'reject' | 'correction' | 'send';
  outcomes: TravellerOutcome[];
  /** Decisions to be looked at before they are sent. */
  drafts: TravellerDraft[];
  /** Why nothing was done for anybody. */
  error: DeskError | { code: 'none_chosen' } | null;
  /** Numbers of those who were chosen. */
  chosen: string[];
  typed: { code: string; text: string; fields: string[] };
};

/** What the buttons of the form do, by their `intent`, and what somebody must be allowed to do for it. */
const actions = {
  approve_chosen: { action: 'approve', needs: ['approve', 'attach_document'] },
  reject_chosen: { action: 'reject', needs: ['reject'] },
  // Each draft is checked once more by the command that decides one.
  send_chosen: { action: 'send', needs: ['view_applications'] },
  correct_chosen: { action: 'correction', needs: ['ask_correction'] },
} as const satisfies Record<string, { action: GroupAnswer['action']; needs: StaffAction[] }>;

const isIntent = (text: FormDataEntryValue | null): text is keyof typeof actions =>
  typeof text === 'string' && Object.hasOwn(actions, text);

function askedIn(form: FormData) {
  const intent = form.get('intent');
  return isIntent(intent) ? actions[intent] : null;
}

/** Whether a form of the order's page is about its travellers; `choose` is what the return key sends. */
export const isGroupForm = (form: FormData): boolean =>
  form.get('intent') === 'choose' || askedIn(form) !== null;

/** Does for each chosen traveller of an order what its form asks for; `intent` says what. */
export async function actOnGroup(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  { order, form }: { order: Order; form: FormData },
): Promise<{ answer: GroupAnswer; status: number }> {
  const asked = askedIn(form);
  const numbers = form.getAll('chosen');
  const applications = await applicationsOfOrder(platform.db, order.number);
  const visas = applications.filter(({ kind }) => kind === 'visa');
  const chosen = visas
    .filter(({ number }) => numbers.includes(number))
    .map((application) => ({ application, seen: seenOf(form, application.number) }));
  const typed = {
    code: formText(form, 'reasonCode'),
    text: formText(form, asked?.action === 'correction' ? 'note' : 'reason'),
    fields: correctable.filter((field) => form.has(`reopen-${field}`)),
  };
  const answer: GroupAnswer = {
    action: asked?.action ?? 'approve',
    outcomes: [],
    drafts: [],
    error: null,
    chosen: chosen.map(({ application }) => application.number),
    typed,
  };
  const refuse = (error: NonNullable<GroupAnswer['error']>, status: number) => ({
    answer: { ...answer, error },
    status,
  });
  if (!asked) return { answer, status: 200 };
  if (!asked.needs.every((need) => may(staff.role, need))) {
    return refuse({ code: 'forbidden' }, 403);
  }
  if (asked.action === 'send') {
    const sent = visas.flatMap((application) => {
      const id = form.get(`draft-${application.number}`);
      const seen = seenOf(form, application.number);
      return typeof id === 'string' ? [{ application, seen, id }] : [];
    });
    const outcomes = await sendTogether(platform, payments, staff, sent);
    const numbersSent = sent.map(({ application }) => application.number);
    return { answer: { ...answer, outcomes, chosen: numbersSent }, status: 200 };
  }
  if (chosen.length === 0) return refuse({ code: 'none_chosen' }, 422);
  const isLong = asked.action === 'reject' && typed.text.length > LONGEST_REASON;
  if (isLong) return refuse({ code: 'reason_too_long' }, 422);
  const open = chosen.filter(({ application, seen }) => !isFinal(seen ?? application.status));
  const { drafts, outcomes } =
    asked.action === 'correction'
      ? {
          drafts: [],
          outcomes: await askTogether(platform, staff, open, {
            fields: typed.fields,
            note: typed.text,
          }),
        }
      : await draftTogether(
          platform,
          staff,
          open,
          asked.action === 'reject'
            ? {
                kind: 'reject',
                code: rejectionCodes.find((one) => one === typed.code),
                reason: typed.text,
              }
            : {
                kind: 'approve',
                fileOf: ({ id, number }) =>
                  uploadedFile(platform, staff, { form, applicationId: id, of: `-${number}` }),
              },
        );
  // What was said wrongly for all is said once.
  const shared = sharedError(outcomes);
  if (shared) return refuse(shared, statusOf(shared));
  // Also where some were refused: a page that is answered with an error is not read anew.
  return { answer: { ...answer, drafts, outcomes }, status: 200 };
}

/** What was typed is wrong for everybody in the same way. */
const aboutTyped = ['reason_required', 'reason_unknown', 'fields_required', 'note_too_long'];

function sharedError(outcomes: readonly TravellerOutcome[]): DeskError | null {
  const [first] = outcomes;
  if (first?.kind !== 'refused' || !aboutTyped.includes(first.error.code)) return null;
  return outcomes.every((one) => one.kind === 'refused' && one.error.code === first.error.code)
    ? first.error
    : null;
}

const seenOf = (form: FormData, number: string) =>
  applicationStatuses.find((status) => status === form.get(`seen-${number}`));
