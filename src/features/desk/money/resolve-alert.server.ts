import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { LONGEST_NOTE } from './alert-facts.ts';
import { alertById } from './payments-store.server.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { paymentAlert } from '~/features/payment/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

export type ResolveError =
  | { code: 'note_required' | 'note_too_long' | 'not_found' }
  /** Somebody else was first. */
  | { code: 'already_resolved'; by: string | null; at: Date };

/**
 * Resolves an alert with a note on what was done. Person and time are stored with it; the audit trail names the alert,
 * without the note.
 */
export async function resolveAlert(
  platform: Platform,
  staff: Staff,
  asked: { alertId: string; note: string },
): Promise<Outcome<true, ResolveError>> {
  const note = asked.note.trim();
  if (note === '') return refused({ code: 'note_required' });
  if (note.length > LONGEST_NOTE) return refused({ code: 'note_too_long' });
  const { db } = platform;
  const known = await alertById(db, asked.alertId);
  if (!known) return refused({ code: 'not_found' });
  const at = platform.now();
  const isFirst = await db.transaction(async (tx) => {
    if (!(await closeAlert(tx, known.id, { at, by: staff.id, note }))) return false;
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'alert_resolved',
      subject: { kind: 'alert', id: known.id },
      detail: { kind: known.kind, attemptId: known.attemptId },
    });
    return true;
  });
  if (isFirst) return ok(true);
  const resolved = await alertById(db, known.id);
  const by = resolved?.resolvedBy ?? '';
  const names = await staffNames(db, by === '' ? [] : [by]);
  return refused({
    code: 'already_resolved',
    by: names.get(by) ?? null,
    at: resolved?.resolvedAt ?? at,
  });
}

/** Closes an alert; false where it was closed before. */
async function closeAlert(
  db: Queryable,
  id: string,
  resolved: { at: Date; by: string; note: string },
): Promise<boolean> {
  const rows = await db
    .update(paymentAlert)
    .set({ resolvedAt: resolved.at, resolvedBy: resolved.by, resolution: resolved.note })
    .where(and(eq(paymentAlert.id, id), isNull(paymentAlert.resolvedAt)))
    .returning({ id: paymentAlert.id });
  return rows.length === 1;
}
