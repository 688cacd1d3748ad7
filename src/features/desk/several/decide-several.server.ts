import { rejectionCodes, type RejectionCode } from '~/features/application/rejection.ts';
import {
  applicationStatuses,
  type ApplicationStatus,
} from '~/features/application/status-machine.ts';
import {
  applicationById,
  applicationsByOrder,
  type Application,
} from '~/features/application/store.server.ts';
import { listedName } from '~/features/application/full-name.ts';
import type { Language } from '~/base/languages.ts';
import { previewDecision } from '~/features/email/preview.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { formText } from '~/platform/input/form-text.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { askCorrection } from '../application/ask-correction.server.ts';
import { claimApplication, claimHolders } from '../application/claim.server.ts';
import { compareDocument } from '../application/match-document.server.ts';
import { needsCheck } from '../application/pdf-rules.ts';
import { correctable, actionRefusal, actionRules } from '../application/case-actions.ts';
import { staleness, askBeforeRejection, decideApplication } from '../application/decide.server.ts';
import {
  MAX_REJECTION_REASON_LENGTH,
  refusalStatus,
  type DeskError,
} from '../application/decision-types.ts';
import { findApplication } from '../application/detail.server.ts';
import { draftDecision, openDraft, sendDraft } from '../application/draft.server.ts';
import { samePersonMarks } from '../application/duplicates.server.ts';
import { uploadedFile } from '../application/uploads.server.ts';
import { openBatchView, type BatchFileView } from './batch-view.server.ts';
import { chooseApplication, batchFiles, type PdfBatch } from './batch.server.ts';

/** One of the chosen travellers' applications, as the screen showed it. */
type ChosenApplication = { application: Application; seen: ApplicationStatus | undefined };

/** What is decided for all of them. `fileOf`: the PDF of one, where there is one. */
type SharedDecision =
  | {
      kind: 'approve';
      fileOf: (application: Application) => ReturnType<typeof uploadedFile>;
    }
  | { kind: 'reject'; code: RejectionCode | undefined; reason: string };

/**
 * Why nothing was done for one of several, beside what its command refuses. `no_document`: no PDF was attached.
 * `look_first`: nobody has seen the file beside that application yet. `no_application`: none was chosen for it.
 * `unknown_number`: no visa application has the number that was typed.
 */
type SeveralError =
  | DeskError
  | { code: 'no_document' }
  | { code: 'look_first' }
  | { code: 'no_application' }
  | { code: 'unknown_number'; typed: string };

type Named = { number: string; name: string };

/**
 * What became of one of several. `id`: of the file, or the application's number. `draft`: id of the decision that was
 * stored for it and waits on a page of its own.
 */
export type SeveralOutcome = {
  id: string;
  /** The name of a PDF that was added with others. */
  file?: string;
  application: Named | null;
} & ({ done: 'approved' | 'rejected' | 'asked' } | { error: SeveralError; draft: string | null });

/** A decision on one of them that waits to be sent, with the email that it will send. */
export type TravellerDraft = Named & {
  id: string;
  kind: 'approve' | 'reject';
  /** The status that it changes. */
  seen: ApplicationStatus;
  to: string;
  /** Of the subject. */
  language: string;
  subject: string;
};

const namedAs = ({ number, lastName, firstName }: Application): Named => ({
  number,
  name: listedName({ firstName, lastName }),
});

const about = (application: Application) => ({
  id: application.number,
  application: namedAs(application),
});

const refused = (error: SeveralError, draft: string | null = null) => ({ error, draft });

/**
 * Stores a decision on each of several travellers as a draft, so that its email is seen before it is sent, and claims
 * their applications; says what is refused already. Nobody is approved without a PDF here, nor with one that may be
 * another traveller's, nor where the application may be a duplicate.
 */
async function draftTogether(
  platform: Platform,
  staff: Staff,
  chosen: readonly ChosenApplication[],
  decision: SharedDecision,
): Promise<{ drafts: TravellerDraft[]; outcomes: SeveralOutcome[] }> {
  const drafts: TravellerDraft[] = [];
  const outcomes: SeveralOutcome[] = [];
  const ids = chosen.map(({ application }) => application.id);
  const holders = await claimHolders(platform, staff, ids);
  for (const { application, seen } of chosen) {
    const { name, until } = holders.get(application.id) ?? { name: null };
    const drafted =
      name === null
        ? await draftOne(platform, staff, { application, seen }, decision)
        : refused({ code: 'claimed', name, until });
    if ('error' in drafted) outcomes.push({ ...about(application), ...drafted });
    else {
      const waiting = await openDraft(platform, staff, { application, id: drafted.id });
      if (!waiting) throw new Error('A draft that was just stored is gone');
      const { to, language, subject } = await previewDecision(platform, application, waiting);
      const { kind } = decision;
      const mail = { to, language, subject };
      drafts.push({ ...namedAs(application), id: drafted.id, kind, seen: waiting.seen, ...mail });
    }
  }
  return { drafts, outcomes };
}

async function draftOne(
  platform: Platform,
  staff: Staff,
  { application, seen }: ChosenApplication,
  decision: SharedDecision,
) {
  if (decision.kind === 'reject') {
    const { kind, code, reason } = decision;
    const drafted = await draftDecision(platform, staff, application, { kind, seen, code, reason });
    if (!drafted.ok) return refused(drafted.error);
    await claimApplication(platform, staff, application.id);
    return { id: drafted.value };
  }
  const file = await decision.fileOf(application);
  if (!file.ok) return refused({ code: file.error });
  const { fileId } = file;
  if (fileId === undefined) return refused({ code: 'no_document' });
  const drafted = await draftDecision(platform, staff, application, {
    kind: 'approve',
    seen,
    fileId,
  });
  if (!drafted.ok) return refused(drafted.error);
  await claimApplication(platform, staff, application.id);
  const comparison = await compareDocument(platform, application, fileId);
  if (comparison && needsCheck(comparison)) {
    return refused({ code: 'document_differs' }, drafted.value);
  }
  if ((await samePersonMarks(platform.db, [application.id])).size > 0) {
    return refused({ code: 'possible_duplicate' }, drafted.value);
  }
  return { id: drafted.value };
}

/**
 * Sends what was drafted for several travellers, one after the other, each by the command and the guard that decide one:
 * what is refused for one is done for the others.
 */
export async function sendDraftedDecisions(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  drafted: readonly (ChosenApplication & { id: string })[],
): Promise<SeveralOutcome[]> {
  const opened = await Promise.all(
    drafted.map(async (one) => ({ ...one, waiting: await openDraft(platform, staff, one) })),
  );
  const rejection = opened.find(({ waiting }) => waiting?.kind === 'reject');
  if (rejection) await askBeforeRejection(platform, payments, rejection.application);
  const outcomes: SeveralOutcome[] = [];
  for (const { waiting, ...one } of opened) {
    const named = about(one.application);
    if (!waiting || waiting.kind === 'attach') {
      outcomes.push({ ...named, ...refused(await whyGone(platform, one)) });
      continue;
    }
    const sent = await sendDraft(platform, staff, {
      draft: waiting,
      hasCompared: false,
      hasCheckedDuplicates: false,
    });
    // A draft for a status that is past cannot be sent from its own page either.
    const left = !sent.ok && sent.error.code !== 'stale' ? waiting.id : null;
    outcomes.push({
      ...named,
      ...(sent.ok
        ? { done: waiting.kind === 'approve' ? 'approved' : 'rejected' }
        : refused(sent.error, left)),
    });
  }
  return outcomes;
}

/** A draft that was sent, from this page or from its own, is gone; so is one that was deleted after its day. */
async function whyGone(
  { db }: Platform,
  { application, seen }: ChosenApplication,
): Promise<DeskError> {
  const now = (await applicationById(db, application.id)) ?? application;
  return now.status === seen ? { code: 'draft_gone' } : staleness(db, now);
}

/** Asks several travellers for a correction of the same answers, one after the other, and claims their applications. */
async function askTogether(
  platform: Platform,
  staff: Staff,
  chosen: readonly ChosenApplication[],
  { fields, note }: { fields: readonly string[]; note: string },
): Promise<SeveralOutcome[]> {
  const outcomes: SeveralOutcome[] = [];
  for (const { application } of chosen) {
    const asked = await askCorrection(platform, staff, {
      applicationId: application.id,
      fields,
      note,
    });
    if (asked.ok) await claimApplication(platform, staff, application.id);
    outcomes.push({
      ...about(application),
      ...(asked.ok ? { done: 'asked' } : refused(asked.error)),
    });
  }
  return outcomes;
}

/** `action`: what was to be done; null for the return key. `typed`: so that nothing is lost where something was refused. */
export type GroupAnswer = {
  action: 'approve' | 'reject' | 'correction' | 'send' | null;
  outcomes: SeveralOutcome[];
  /** Decisions to be looked at before they are sent. */
  drafts: TravellerDraft[];
  /** Why nothing was done for anybody. */
  error: DeskError | { code: 'none_chosen' } | null;
  /** Numbers of those who were chosen. */
  chosen: string[];
  typed: { code: string; text: string; fields: string[] };
};

/** What the buttons of the form do, by their `intent`. */
const actions = {
  approve_chosen: 'approve',
  reject_chosen: 'reject',
  send_chosen: 'send',
  correct_chosen: 'correction',
} as const satisfies Record<string, GroupAnswer['action']>;

const isIntent = (text: FormDataEntryValue | null): text is keyof typeof actions =>
  typeof text === 'string' && Object.hasOwn(actions, text);

function actionIn(form: FormData) {
  const intent = form.get('intent');
  return isIntent(intent) ? actions[intent] : null;
}

/** Whether a form of the order's page is about its travellers; `choose` is what the return key sends. */
export const isGroupForm = (form: FormData): boolean =>
  form.get('intent') === 'choose' || actionIn(form) !== null;

/** Does for each chosen traveller of an order what its form asks for; `intent` says what. */
export async function actOnGroup(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  { order, form }: { order: Order; form: FormData },
): Promise<{ answer: GroupAnswer; status: number }> {
  const action = actionIn(form);
  const numbers = form.getAll('chosen');
  const applications = await applicationsByOrder(platform.db, order.number);
  const visas = applications.filter(({ kind }) => kind === 'visa');
  const chosen = visas
    .filter(({ number }) => numbers.includes(number))
    .map((application) => ({ application, seen: seenOf(form, application.number) }));
  const typed = {
    code: formText(form, 'reasonCode'),
    text: formText(form, action === 'correction' ? 'note' : 'reason'),
    fields: correctable.filter((field) => form.has(`reopen-${field}`)),
  };
  const answer: GroupAnswer = {
    action,
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
  if (!action) return { answer, status: 200 };
  // Each draft is checked once more by the command that decides one.
  if (action === 'send') {
    const sent = visas.flatMap((application) => {
      const id = form.get(`draft-${application.number}`);
      const seen = seenOf(form, application.number);
      return typeof id === 'string' ? [{ application, seen, id }] : [];
    });
    const outcomes = await sendDraftedDecisions(platform, payments, staff, sent);
    const numbersSent = sent.map(({ application }) => application.number);
    return { answer: { ...answer, outcomes, chosen: numbersSent }, status: 200 };
  }
  const isForbidden =
    !may(staff.role, actionRules(action).right) ||
    (action === 'approve' && !may(staff.role, 'attach_document'));
  if (isForbidden) return refuse({ code: 'forbidden' }, 403);
  if (chosen.length === 0) return refuse({ code: 'none_chosen' }, 422);
  const isLong = action === 'reject' && typed.text.length > MAX_REJECTION_REASON_LENGTH;
  if (isLong) return refuse({ code: 'reason_too_long' }, 422);
  // Without those for whom the page did not offer it.
  const open = chosen.filter(({ application: { status, paidAt }, seen }) => {
    const facts = { status: seen ?? status, paid: paidAt !== null };
    return actionRefusal(action, facts, staff.role) !== 'stale';
  });
  const { drafts, outcomes } =
    action === 'correction'
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
          action === 'reject'
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
  if (shared) return refuse(shared, refusalStatus(shared));
  // Also where some were refused: a page that is answered with an error is not read anew.
  return { answer: { ...answer, drafts, outcomes }, status: 200 };
}

/** What was typed is wrong for everybody in the same way. */
const aboutTyped = ['reason_required', 'reason_unknown', 'fields_required', 'note_too_long'];

const isAboutTyped = (error: SeveralError): error is DeskError => aboutTyped.includes(error.code);

function sharedError(outcomes: readonly SeveralOutcome[]): DeskError | null {
  const [first] = outcomes;
  if (!first || !('error' in first)) return null;
  const { error } = first;
  if (!isAboutTyped(error)) return null;
  return outcomes.every((one) => 'error' in one && one.error.code === error.code) ? error : null;
}

const seenOf = (form: FormData, number: string) =>
  applicationStatuses.find((status) => status === form.get(`seen-${number}`));

type FileView = Extract<BatchFileView, { kind: 'waiting' }>;

/**
 * Stores the numbers that were typed for files of a batch. A typed number replaces what was found, so that the next page
 * shows the file beside that application.
 */
export async function chooseTyped(
  platform: Platform,
  batch: PdfBatch,
  form: FormData,
): Promise<{ outcomes: SeveralOutcome[]; chosen: Set<string> }> {
  const outcomes: SeveralOutcome[] = [];
  const chosen = new Set<string>();
  for (const { file, upload } of await batchFiles(platform.db, batch.id)) {
    const typed = formText(form, `number-${file.id}`).trim();
    if (typed === '' || !upload || upload.applicationId !== null) continue;
    const found = await findApplication(platform.db, typed);
    if (found?.kind !== 'visa') {
      const error = { code: 'unknown_number', typed: typed.slice(0, 40) } as const;
      outcomes.push({ id: file.id, application: null, ...refused(error) });
      continue;
    }
    const { id: fileId, batchId } = file;
    await chooseApplication(platform.db, { fileId, batchId, applicationId: found.id });
    chosen.add(fileId);
  }
  return { outcomes, chosen };
}

/**
 * Approves the application of every ticked file, one after the other, each by the command that decides one and with
 * that person's time to undo: what is refused for one is done for the others. Only applications that the form showed
 * beside the file count, in the status that it showed.
 */
export async function approveTicked(
  platform: Platform,
  staff: Staff,
  { batch, form, language }: { batch: PdfBatch; form: FormData; language: Language },
): Promise<SeveralOutcome[]> {
  const { outcomes, chosen } = await chooseTyped(platform, batch, form);
  const view = await openBatchView(platform, staff, batch, language);
  const uploads = new Map(
    (await batchFiles(platform.db, batch.id)).map(({ file }) => [file.id, file.fileId]),
  );
  for (const one of view.files) {
    const tick = form.get(`tick-${one.id}`);
    const fileId = uploads.get(one.id);
    if (tick === null || one.kind !== 'waiting' || !fileId) continue;
    if (outcomes.some(({ id }) => id === one.id)) continue;
    if (chosen.has(one.id)) {
      outcomes.push({ id: one.id, application: null, ...refused({ code: 'look_first' }) });
      continue;
    }
    outcomes.push(
      await approveOne(platform, staff, one, { form, fileId, hasChecked: tick === 'compared' }),
    );
  }
  const names = new Map(view.files.map(({ id, name }) => [id, name]));
  return outcomes.map((one) => ({ ...one, file: names.get(one.id) ?? '' }));
}

async function approveOne(
  platform: Platform,
  staff: Staff,
  one: FileView & { id: string; name: string },
  { form, fileId, hasChecked }: { form: FormData; fileId: string; hasChecked: boolean },
): Promise<SeveralOutcome> {
  const asked = formText(form, `application-${one.id}`);
  const choice = one.choices.find(({ number }) => number === asked);
  const seen = choice && seenOf(form, choice.number);
  if (!choice || !seen) {
    const error =
      asked === '' ? ({ code: 'no_application' } as const) : ({ code: 'look_first' } as const);
    return { id: one.id, application: null, ...refused(error) };
  }
  const { number, name } = choice;
  const decided = await decideApplication(
    platform,
    staff,
    {
      kind: 'approve',
      applicationId: choice.id,
      fileId,
      seen,
      hasCompared: hasChecked,
      hasCheckedDuplicates: hasChecked,
    },
    { undoable: true },
  );
  return {
    id: one.id,
    application: { number, name },
    ...(decided.ok ? { done: 'approved' } : refused(decided.error)),
  };
}
