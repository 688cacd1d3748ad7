import type { RejectionCode } from '~/features/application/rejection.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { askCorrection } from '../correction/ask-correction.server.ts';
import { askThenDecide } from '../decision/decide.server.ts';
import type { DeskError } from '../decision/desk-error.ts';
import { draft } from '../decision/draft.server.ts';
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
  | { kind: 'reject'; code: RejectionCode | undefined; reason: string }
  | { kind: 'correction'; fields: readonly string[]; note: string };

/** What became of one of them. `draft`: an approval that waits for somebody to compare its PDF. */
export type TravellerOutcome = { number: string; name: string } & (
  | { kind: 'done'; word: 'approved' | 'rejected' | 'asked' }
  | { kind: 'no_document' }
  | { kind: 'refused'; error: DeskError; draft: string | null }
);

/**
 * Decides on several travellers of an order, one after the other, each by the command and the guard that decide one: what
 * is refused for one is done for the others. Nobody is approved without a PDF here, nor with one that may be another
 * traveller's.
 */
export async function decideTogether(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  chosen: readonly Chosen[],
  decision: SharedDecision,
): Promise<TravellerOutcome[]> {
  const outcomes: TravellerOutcome[] = [];
  for (const one of chosen) {
    const { number, lastName, firstName } = one.application;
    const outcome = await decideOne(platform, payments, staff, one, decision);
    outcomes.push({ number, name: `${lastName}, ${firstName}`, ...outcome });
  }
  return outcomes;
}

type Outcome =
  | { kind: 'done'; word: 'approved' | 'rejected' | 'asked' }
  | { kind: 'no_document' }
  | { kind: 'refused'; error: DeskError; draft: string | null };

const refused = (error: DeskError): Outcome => ({ kind: 'refused', error, draft: null });

async function decideOne(
  platform: Platform,
  payments: Payments,
  staff: Staff,
  { application, seen }: Chosen,
  decision: SharedDecision,
): Promise<Outcome> {
  const applicationId = application.id;
  if (decision.kind === 'correction') {
    const { fields, note } = decision;
    const asked = await askCorrection(platform, staff, { applicationId, fields, note });
    return asked.ok ? { kind: 'done', word: 'asked' } : refused(asked.error);
  }
  if (decision.kind === 'reject') {
    const { code, reason } = decision;
    const asked = { kind: 'reject', applicationId, seen, code, reason } as const;
    const rejected = await askThenDecide(platform, payments, staff, asked);
    return rejected.ok ? { kind: 'done', word: 'rejected' } : refused(rejected.error);
  }
  const file = await decision.fileOf(application);
  if (!file.ok) return refused({ code: file.error });
  const { fileId } = file;
  if (fileId === undefined) return { kind: 'no_document' };
  const asked = { kind: 'approve', seen, fileId } as const;
  const approved = await askThenDecide(platform, payments, staff, {
    ...asked,
    applicationId,
    hasCompared: false,
  });
  if (approved.ok) return { kind: 'done', word: 'approved' };
  if (approved.error.code !== 'document_differs') return refused(approved.error);
  const drafted = await draft(platform, staff, application, asked);
  return { kind: 'refused', error: approved.error, draft: drafted.ok ? drafted.value : null };
}
