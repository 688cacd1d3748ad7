import type { RejectionCode } from '~/features/application/rejection.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { askCorrection } from '../correction/ask-correction.server.ts';
import { askThenDecide } from '../decision/decide.server.ts';
import { staleness } from '../decision/decide-refusal.server.ts';
import type { DeskError } from '../decision/desk-error.ts';
import { removeDraft } from '../decision/draft-store.server.ts';
import { decisionOf, draft, openDraft } from '../decision/draft.server.ts';
import type { PreviewEmail } from '../decision/email-preview.server.ts';
import { comparisonView } from '../visa-document/comparison-view.server.ts';
import type { PdfError } from '../visa-document/pdf-rules.ts';

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

/** What became of one of them. `draft`: an approval that waits for somebody to compare its PDF. */
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
  to: string;
  subject: string;
};

const namedAs = ({ number, lastName, firstName }: Application): Named => ({
  number,
  name: `${lastName}, ${firstName}`,
});

const refused = (error: DeskError, waiting: string | null = null) => ({
  kind: 'refused' as const,
  error,
  draft: waiting,
});

/**
 * Stores a decision on each of several travellers as a draft, so that its email is seen before it is sent; says what is
 * refused already. Nobody is approved without a PDF here, nor with one that may be another traveller's.
 */
export async function draftTogether(
  platform: Platform,
  staff: Staff,
  chosen: readonly Chosen[],
  decision: SharedDecision,
  previewEmail: PreviewEmail,
): Promise<{ drafts: TravellerDraft[]; outcomes: TravellerOutcome[] }> {
  const drafts: TravellerDraft[] = [];
  const outcomes: TravellerOutcome[] = [];
  for (const { application, seen } of chosen) {
    const named = namedAs(application);
    const drafted = await draftOne(platform, staff, { application, seen }, decision);
    if (drafted.kind !== 'draft') outcomes.push({ ...named, ...drafted });
    else {
      const waiting = await openDraft(platform, staff, { application, id: drafted.id });
      if (!waiting) throw new Error('A draft that was just stored is gone');
      const { to, subject } = await previewEmail(platform, application, waiting);
      drafts.push({ ...named, id: drafted.id, kind: decision.kind, to, subject });
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
    return drafted.ok ? { kind: 'draft' as const, id: drafted.value } : refused(drafted.error);
  }
  const file = await decision.fileOf(application);
  if (!file.ok) return refused({ code: file.error });
  const { fileId } = file;
  if (fileId === undefined) return { kind: 'no_document' as const };
  const drafted = await draft(platform, staff, application, { kind: 'approve', seen, fileId });
  if (!drafted.ok) return refused(drafted.error);
  const comparison = await comparisonView(platform, application, fileId);
  return comparison?.needsALook
    ? refused({ code: 'document_differs' }, drafted.value)
    : { kind: 'draft' as const, id: drafted.value };
}

/**
 * Sends what was drafted for several travellers, one after the other, each by the command and the guard that decide one:
 * what is refused for one is done for the others.
 */
export async function sendTogether(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  drafted: readonly { application: Application; id: string }[],
): Promise<TravellerOutcome[]> {
  const outcomes: TravellerOutcome[] = [];
  for (const { application, id } of drafted) {
    const named = namedAs(application);
    const waiting = await openDraft(platform, staff, { application, id });
    if (!waiting || waiting.kind === 'attach') {
      // Sent already, from this page or from its own.
      outcomes.push({ ...named, ...refused(await staleness(platform.db, application)) });
      continue;
    }
    const decision = {
      ...decisionOf(waiting),
      applicationId: application.id,
      hasCompared: false,
    };
    const decided = await askThenDecide(platform, payments, staff, decision);
    if (decided.ok) {
      await removeDraft(platform.db, id);
      const word = waiting.kind === 'approve' ? 'approved' : 'rejected';
      outcomes.push({ ...named, kind: 'done', word });
    } else {
      const differs = decided.error.code === 'document_differs';
      outcomes.push({ ...named, ...refused(decided.error, differs ? id : null) });
    }
  }
  return outcomes;
}

/** Asks several travellers for a correction of the same answers, one after the other. */
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
    outcomes.push({
      ...namedAs(application),
      ...(asked.ok ? { kind: 'done', word: 'asked' } : refused(asked.error)),
    });
  }
  return outcomes;
}
