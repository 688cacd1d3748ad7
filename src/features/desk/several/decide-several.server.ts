import type { CodeIn } from '~/base/text-keys.ts';
import { rejectionCodes } from '~/features/application/rejection.ts';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import { applicationsByOrder, type Application } from '~/features/application/store.server.ts';
import { listedName } from '~/features/application/full-name.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { formText } from '~/platform/input/form-text.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { askCorrection } from '../application/ask-correction.server.ts';
import { claimApplication } from '../application/claim.server.ts';
import {
  correctable,
  actionRefusal,
  actionRules,
  REASON_CODE,
} from '../application/case-actions.ts';
import { askBeforeRejection, decideApplication } from '../application/decide.server.ts';
import {
  MAX_REJECTION_REASON_LENGTH,
  refusalStatus,
  type DeskError,
} from '../application/decision-types.ts';
import { findApplication } from '../application/detail.server.ts';
import { choosePerson, uploadName, waitingUploads } from './waiting-pdfs.server.ts';

/** What became of one of several. `id`: of the file, or the application's number. */
export type SeveralOutcome = {
  id: string;
  /** The name of a PDF. */
  file?: string;
  application: { number: string; name: string } | null;
} & ({ done: Exclude<CodeIn<'decision', 'several'>, 'done'> } | { error: DeskError });

export const aboutApplication = (application: Application) => ({
  id: application.number,
  application: { number: application.number, name: listedName(application) },
});

/** `action`: what was to be done; null for the return key. `typed`: so that nothing is lost where something was refused. */
export type GroupAnswer = {
  action: 'reject' | 'correction' | null;
  outcomes: SeveralOutcome[];
  /** Why nothing was done for anybody. */
  error: DeskError | { code: 'none_chosen' } | null;
  /** Numbers of those who were chosen. */
  chosen: string[];
  typed: { code: string; text: string; fields: string[] };
};

/** What the buttons of the form do, by their `intent`; the return key sends `choose`. */
const actions = new Map<FormDataEntryValue | null, GroupAnswer['action']>([
  ['reject_chosen', 'reject'],
  ['correct_chosen', 'correction'],
  ['choose', null],
]);

/** Whether a form of the order's page is about its travellers. */
export const isGroupForm = (form: FormData): boolean => actions.has(form.get('intent'));

/**
 * Rejects each chosen traveller of an order, or asks each for a correction, one after the other, by the command that does
 * it for one: what is refused for one is done for the others. A rejection can be undone like any other.
 */
export async function actOnGroup(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  { order, form }: { order: Order; form: FormData },
): Promise<{ answer: GroupAnswer; status: number }> {
  const action = actions.get(form.get('intent')) ?? null;
  const numbers = form.getAll('chosen');
  const applications = await applicationsByOrder(platform.db, order.number);
  const chosen = applications.filter(
    ({ kind, number }) => kind === 'visa' && numbers.includes(number),
  );
  const typed = {
    code: formText(form, REASON_CODE),
    text: formText(form, action === 'correction' ? 'note' : 'reason'),
    fields: correctable.filter((field) => form.has(`reopen-${field}`)),
  };
  const answer = {
    action,
    outcomes: [],
    error: null,
    chosen: chosen.map((one) => one.number),
    typed,
  };
  const refuse = (error: NonNullable<GroupAnswer['error']>, status: number) => ({
    answer: { ...answer, error },
    status,
  });
  if (!action) return { answer, status: 200 };
  if (!may(staff.role, actionRules(action).right)) return refuse({ code: 'forbidden' }, 403);
  const [first] = chosen;
  if (!first) return refuse({ code: 'none_chosen' }, 422);
  if (action === 'reject' && typed.text.length > MAX_REJECTION_REASON_LENGTH)
    return refuse({ code: 'reason_too_long' }, 422);
  if (action === 'reject') await askBeforeRejection(platform, payments, first);
  const code = rejectionCodes.find((one) => one === typed.code);
  const outcomes: SeveralOutcome[] = [];
  for (const application of chosen) {
    const { id, status, paidAt } = application;
    const seen = seenIn(form, application.number);
    // Without those for whom the page did not offer it.
    const facts = { status: seen ?? status, paid: paidAt !== null };
    if (actionRefusal(action, facts, staff.role) === 'stale') continue;
    const decision = { kind: 'reject', applicationId: id, seen, code, reason: typed.text } as const;
    const request = { applicationId: id, fields: typed.fields, note: typed.text };
    const done = await (action === 'reject'
      ? decideApplication(platform, staff, decision, { undoable: true })
      : askCorrection(platform, staff, request));
    if (done.ok && action === 'correction') await claimApplication(platform, staff, id);
    const word = action === 'reject' ? 'rejected' : 'asked';
    outcomes.push({
      ...aboutApplication(application),
      ...(done.ok ? { done: word } : { error: done.error }),
    });
  }
  // What was said wrongly for all is said once.
  const shared = sharedError(outcomes);
  if (shared) return refuse(shared, refusalStatus(shared));
  // Also where some were refused: a page that is answered with an error is not read anew.
  return { answer: { ...answer, outcomes }, status: 200 };
}

/** What was typed is wrong for everybody in the same way. */
const aboutTyped = ['reason_required', 'reason_unknown', 'fields_required', 'note_too_long'];

const isAboutTyped = (error: DeskError): error is DeskError => aboutTyped.includes(error.code);

function sharedError(outcomes: readonly SeveralOutcome[]): DeskError | null {
  const [first] = outcomes;
  if (!first || !('error' in first)) return null;
  const { error } = first;
  if (!isAboutTyped(error)) return null;
  return outcomes.every((one) => 'error' in one && one.error.code === error.code) ? error : null;
}

const seenIn = (form: FormData, number: string) =>
  applicationStatuses.find((status) => status === form.get(`seen-${number}`));

/**
 * What a form says about somebody's waiting PDFs. A typed number replaces what was found, so that the next page shows
 * the file beside that application. With `approve` the application of every ticked file is approved, one after the
 * other, by the command that decides one and with that person's time to undo: what is refused for one is done for the
 * others.
 */
export async function actOnPdfs(
  platform: Platform,
  staff: Staff,
  { form, approve }: { form: FormData; approve: boolean },
): Promise<SeveralOutcome[]> {
  const outcomes: SeveralOutcome[] = [];
  for (const waiting of await waitingUploads(platform.db, staff.id)) {
    const id = waiting.fileId;
    const typed = formText(form, `number-${id}`).trim();
    const tick = approve ? form.get(`tick-${id}`) : null;
    const outcome =
      typed === ''
        ? tick !== null && (await approveOne(platform, staff, { form, id, tick }))
        : await chooseTyped(platform, staff, { id, typed, isTicked: tick !== null });
    if (outcome) outcomes.push({ id, file: uploadName(platform, waiting), ...outcome });
  }
  return outcomes;
}

type PdfOutcome = { application: SeveralOutcome['application'] } & (
  | { done: 'approved' }
  | { error: DeskError }
);

async function chooseTyped(
  { db }: Platform,
  staff: Staff,
  { id, typed, isTicked }: { id: string; typed: string; isTicked: boolean },
): Promise<PdfOutcome | null> {
  const found = await findApplication(db, typed);
  if (found?.kind !== 'visa') return { application: null, error: { code: 'unknown_number' } };
  await choosePerson(db, staff, { fileId: id, applicationId: found.id });
  return isTicked ? { application: null, error: { code: 'look_first' } } : null;
}

/** `tick`: `compared` by who says that they looked at it. */
async function approveOne(
  platform: Platform,
  staff: Staff,
  { form, id, tick }: { form: FormData; id: string; tick: FormDataEntryValue },
): Promise<PdfOutcome> {
  const found = await findApplication(platform.db, formText(form, `application-${id}`));
  const seen = found && seenIn(form, found.number);
  if (found?.kind !== 'visa' || !seen)
    return { application: null, error: { code: 'no_application' } };
  const hasChecked = tick === 'compared';
  const decided = await decideApplication(
    platform,
    staff,
    {
      kind: 'approve',
      applicationId: found.id,
      fileId: id,
      seen,
      hasCompared: hasChecked,
      hasCheckedDuplicates: hasChecked,
    },
    { undoable: true },
  );
  const { application } = aboutApplication(found);
  return { application, ...(decided.ok ? { done: 'approved' } : { error: decided.error }) };
}
