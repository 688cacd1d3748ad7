import type { RejectionCode } from '~/features/application/rejection.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { listedName } from '~/features/application/full-name.ts';
import { askCorrection } from '../application/ask-correction.server.ts';
import { askBeforeRejecting } from '../application/decide.server.ts';
import { staleness } from '../application/decide-refusal.server.ts';
import type { DeskError } from '../application/desk-error.ts';
import { draft, openDraft, sendDraft } from '../application/draft.server.ts';
import { previewDecision } from '~/features/email/preview.server.ts';
import { claim, holdersOf } from '../application/claim.server.ts';
import { samePersonMarks } from '../application/duplicates.server.ts';
import { compareDocument } from '../application/compare-document.server.ts';
import { needsALook } from '../application/comparison.ts';
import type { PdfError } from '../application/pdf-rules.ts';

/** One of the chosen travellers' applications, as the screen showed it. */
export type Chosen = { application: Application; seen: ApplicationStatus | undefined };

/** What is decided for all of them. `fileOf`: the PDF of one, where there is one. */
export type SharedDecision =
  | {
      kind: 'approve';
      fileOf: (
        application: Application,
      ) => Promise<{ ok: true; fileId: string | undefined } | { ok: false; error: PdfError }>;
    }
  | { kind: 'reject'; code: RejectionCode | undefined; reason: string };

type Named = { number: string; name: string };

/** What became of one of them. `draft`: id of the decision that was stored for it and waits on a page of its own. */
export type TravellerOutcome = Named &
  (
    | { kind: 'done'; word: 'approved' | 'rejected' | 'asked' }
    | { kind: 'no_document' }
    | { kind: 'refused'; error: DeskError; draft: string | null }
  );

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

const refused = (error: DeskError, waiting: string | null = null) => ({
  kind: 'refused' as const,
  error,
  draft: waiting,
});

/**
 * Stores a decision on each of several travellers as a draft, so that its email is seen before it is sent, and claims
 * their applications; says what is refused already. Nobody is approved without a PDF here, nor with one that may be
 * another traveller's, nor where the application may be a duplicate.
 */
export async function draftTogether(
  platform: Platform,
  staff: Staff,
  chosen: readonly Chosen[],
  decision: SharedDecision,
): Promise<{ drafts: TravellerDraft[]; outcomes: TravellerOutcome[] }> {
  const drafts: TravellerDraft[] = [];
  const outcomes: TravellerOutcome[] = [];
  const ids = chosen.map(({ application }) => application.id);
  const holders = await holdersOf(platform, staff, ids);
  for (const { application, seen } of chosen) {
    const named = namedAs(application);
    const { name, until } = holders.get(application.id) ?? { name: null };
    if (name !== null) {
      outcomes.push({ ...named, ...refused({ code: 'claimed', name, until }) });
      continue;
    }
    const drafted = await draftOne(platform, staff, { application, seen }, decision);
    if (drafted.kind !== 'draft') outcomes.push({ ...named, ...drafted });
    else {
      const waiting = await openDraft(platform, staff, { application, id: drafted.id });
      if (!waiting) throw new Error('A draft that was just stored is gone');
      const { to, language, subject } = await previewDecision(platform, application, waiting);
      const { id } = drafted;
      drafts.push({ ...named, id, kind: decision.kind, seen: waiting.seen, to, language, subject });
    }
  }
  return { drafts, outcomes };
}

async function draftOne(
  platform: Platform,
  staff: Staff,
  { application, seen }: Chosen,
  decision: SharedDecision,
) {
  if (decision.kind === 'reject') {
    const { kind, code, reason } = decision;
    const drafted = await draft(platform, staff, application, { kind, seen, code, reason });
    if (!drafted.ok) return refused(drafted.error);
    await claim(platform, staff, application.id);
    return { kind: 'draft' as const, id: drafted.value };
  }
  const file = await decision.fileOf(application);
  if (!file.ok) return refused({ code: file.error });
  const { fileId } = file;
  if (fileId === undefined) return { kind: 'no_document' as const };
  const drafted = await draft(platform, staff, application, { kind: 'approve', seen, fileId });
  if (!drafted.ok) return refused(drafted.error);
  await claim(platform, staff, application.id);
  const comparison = await compareDocument(platform, application, fileId);
  if (comparison && needsALook(comparison)) {
    return refused({ code: 'document_differs' }, drafted.value);
  }
  if ((await samePersonMarks(platform.db, [application.id])).size > 0) {
    return refused({ code: 'possible_duplicate' }, drafted.value);
  }
  return { kind: 'draft' as const, id: drafted.value };
}

/**
 * Sends what was drafted for several travellers, one after the other, each by the command and the guard that decide one:
 * what is refused for one is done for the others.
 */
export async function sendTogether(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  drafted: readonly (Chosen & { id: string })[],
): Promise<TravellerOutcome[]> {
  const opened = await Promise.all(
    drafted.map(async (one) => ({ ...one, waiting: await openDraft(platform, staff, one) })),
  );
  const rejection = opened.find(({ waiting }) => waiting?.kind === 'reject');
  if (rejection) await askBeforeRejecting(platform, payments, rejection.application);
  const outcomes: TravellerOutcome[] = [];
  for (const { waiting, ...one } of opened) {
    const named = namedAs(one.application);
    if (!waiting || waiting.kind === 'attach') {
      outcomes.push({ ...named, ...refused(await whyGone(platform, one)) });
      continue;
    }
    const sent = await sendDraft(platform, staff, {
      draft: waiting,
      hasCompared: false,
      hasCheckedDuplicates: false,
    });
    if (sent.ok) {
      const word = waiting.kind === 'approve' ? 'approved' : 'rejected';
      outcomes.push({ ...named, kind: 'done', word });
    } else {
      const { error } = sent;
      // A draft for a status that is past cannot be sent from its own page either.
      outcomes.push({ ...named, ...refused(error, error.code === 'stale' ? null : waiting.id) });
    }
  }
  return outcomes;
}

/** A draft that was sent, from this page or from its own, is gone; so is one that was deleted after its day. */
async function whyGone({ db }: Platform, { application, seen }: Chosen): Promise<DeskError> {
  const now = (await applicationById(db, application.id)) ?? application;
  return now.status === seen ? { code: 'draft_gone' } : staleness(db, now);
}

/** Asks several travellers for a correction of the same answers, one after the other, and claims their applications. */
export async function askTogether(
  platform: Platform,
  staff: Staff,
  chosen: readonly Chosen[],
  { fields, note }: { fields: readonly string[]; note: string },
): Promise<TravellerOutcome[]> {
  const outcomes: TravellerOutcome[] = [];
  for (const { application } of chosen) {
    const asked = await askCorrection(platform, staff, {
      applicationId: application.id,
      fields,
      note,
    });
    if (asked.ok) await claim(platform, staff, application.id);
    outcomes.push({
      ...namedAs(application),
      ...(asked.ok ? { kind: 'done', word: 'asked' } : refused(asked.error)),
    });
  }
  return outcomes;
}
