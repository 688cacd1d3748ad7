import { refused, type Outcome } from '~/base/outcome.ts';
import type { Application } from '~/features/application/store.server.ts';
import { editedTemplate } from '~/features/application/templates.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { decide } from './decide.server.ts';
import type { DecisionError } from './decision-types.ts';
import { markDraftSeen, removeDraft, type Draft } from './draft-store.server.ts';
import { decisionOf } from './draft.server.ts';

/**
 * Decides what a draft says, to be undone for its author's `undoSeconds`, and deletes the draft. Where that is refused,
 * the draft stays. `text_changed`: a manager has changed the reason's text since its author saw the email, who has to see it
 * again. Before a rejection the caller asks the providers, by `askBeforeRejecting`. `hasCompared` and
 * `hasCheckedDuplicates`: as in `Decision`.
 */
export async function sendDraft(
  platform: Platform,
  staff: Staff,
  { draft, ...checked }: { draft: Draft; hasCompared: boolean; hasCheckedDuplicates: boolean },
): Promise<Outcome<Application, DecisionError | { code: 'text_changed' }>> {
  const { id, applicationId } = draft;
  if (await hasOtherText(platform, draft)) {
    await markDraftSeen(platform.db, id, platform.now());
    return refused({ code: 'text_changed' });
  }
  const decision = { ...decisionOf(draft), applicationId, ...checked };
  const decided = await decide(platform, staff, decision, { undoable: true });
  if (decided.ok) await removeDraft(platform.db, id);
  return decided;
}

/** Whether the reason that a draft names has another text now than when the draft was made or last seen. */
async function hasOtherText(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  { rejectionCode: name, createdAt }: Draft,
): Promise<boolean> {
  if (name === null) return false;
  const settings = await currentSettings(db);
  const textsAt = (at: Date) =>
    JSON.stringify(editedTemplate(settings, { kind: 'rejection', name }, at));
  return textsAt(createdAt) !== textsAt(now());
}
