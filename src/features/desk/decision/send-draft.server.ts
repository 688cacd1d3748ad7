import type { Outcome } from '~/base/outcome.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { decide } from './decide.server.ts';
import type { DecisionError } from './decision.ts';
import { removeDraft, type Draft } from './draft-store.server.ts';
import { decisionOf } from './draft.server.ts';

/**
 * Decides what a draft says, to be undone for `UNDO_SECONDS`, and deletes the draft. Where that is refused, the draft stays. Before a rejection the caller
 * asks the providers, by `askBeforeRejecting`. `hasCompared`: as in `Decision`.
 */
export async function sendDraft(
  platform: Platform,
  staff: Staff,
  { draft, hasCompared }: { draft: Draft; hasCompared: boolean },
): Promise<Outcome<Application, DecisionError>> {
  const { id, applicationId } = draft;
  const decision = { ...decisionOf(draft), applicationId, hasCompared };
  const decided = await decide(platform, staff, decision, { undoable: true });
  if (decided.ok) await removeDraft(platform.db, id);
  return decided;
}
