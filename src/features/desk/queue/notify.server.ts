import { activeStaff } from '~/features/staff/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { insertForYou } from './for-you-store.server.ts';
import { mentionedIn } from './mentions.ts';

/**
 * Tells everybody whom a note mentions, its author apart, in the caller's transaction. Who was told of the same note
 * before, by its first version or with the case, is not told again.
 */
export async function notifyMentioned(
  tx: Transaction,
  staff: Pick<Staff, 'id'>,
  {
    noteId,
    applicationId,
    text,
    at,
  }: { noteId: string; applicationId: string; text: string; at: Date },
): Promise<void> {
  if (!text.includes('@')) return;
  const others = mentionedIn(text, await activeStaff(tx)).filter(({ id }) => id !== staff.id);
  const notified = await insertForYou(
    tx,
    others.map(({ id }) => ({
      kind: 'mentioned' as const,
      staffId: id,
      applicationId,
      noteId,
      byStaffId: staff.id,
      at,
    })),
  );
  for (const { staffId } of notified) {
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'colleague_mentioned',
      subject: { kind: 'application', id: applicationId },
      detail: { noteId, to: staffId },
    });
  }
}
