import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Application, ApplicationEvent } from './store.server.ts';
import {
  application,
  applicationCorrection,
  applicationDocument,
  applicationEvent,
  downloadLink,
} from './tables.server.ts';

/** The columns of an application that a decision changes, besides what it says of the decision itself. */
type BeforeDecision = Pick<
  Application,
  'id' | 'status' | 'actionRequired' | 'pausedAt' | 'promisedAt'
>;

/**
 * Takes an application back to where it stood before it was decided, without a trace of the decision: a correction that
 * nobody had checked is unchecked again.
 */
export async function restoreApplication(
  tx: Transaction,
  { id, ...before }: BeforeDecision,
): Promise<void> {
  const decidedAt = tx
    .select({ at: application.decidedAt })
    .from(application)
    .where(eq(application.id, id));
  await tx
    .update(applicationCorrection)
    .set({ checkedAt: null })
    .where(
      and(
        eq(applicationCorrection.applicationId, id),
        eq(applicationCorrection.checkedAt, decidedAt),
      ),
    );
  const undecided = {
    decidedAt: null,
    undeliveredSince: null,
    rejectionCode: null,
    rejectionReason: null,
    // Only what was handed in has one.
    ...(before.status === 'pending' && { authorityReference: null }),
  };
  await tx
    .update(application)
    .set({ ...before, ...undecided })
    .where(eq(application.id, id));
}

/** The id of the newest event of an application; 0 without one. */
export async function newestEvent(db: Queryable, applicationId: string): Promise<number> {
  const [row] = await db
    .select({ id: applicationEvent.id })
    .from(applicationEvent)
    .where(eq(applicationEvent.applicationId, applicationId))
    .orderBy(desc(applicationEvent.id))
    .limit(1);
  return row?.id ?? 0;
}

const isAfter = ({ applicationId, after }: { applicationId: string; after: number }) =>
  and(eq(applicationEvent.applicationId, applicationId), gt(applicationEvent.id, after));

/** The events of an application after one of them. */
export const laterEvents = (
  db: Queryable,
  since: { applicationId: string; after: number },
): Promise<ApplicationEvent[]> => db.select().from(applicationEvent).where(isAfter(since));

export async function deleteLaterEvents(
  tx: Transaction,
  since: { applicationId: string; after: number },
): Promise<void> {
  await tx.delete(applicationEvent).where(isAfter(since));
}

/**
 * Takes a delivered document back with the links to it; `replacedId`: the one that counts again. Without one, an approved
 * visa is undelivered again.
 */
export async function removeDocument(
  tx: Transaction,
  { id, replacedId }: { id: string; replacedId: string | null },
): Promise<void> {
  await tx.delete(downloadLink).where(eq(downloadLink.documentId, id));
  const [removed] = await tx
    .delete(applicationDocument)
    .where(eq(applicationDocument.id, id))
    .returning({ applicationId: applicationDocument.applicationId });
  if (removed && replacedId === null) {
    await tx
      .update(application)
      .set({ undeliveredSince: application.decidedAt })
      .where(
        and(
          eq(application.id, removed.applicationId),
          eq(application.kind, 'visa'),
          eq(application.status, 'approved'),
        ),
      );
  }
  if (replacedId === null) return;
  await tx
    .update(applicationDocument)
    .set({ replacedAt: null })
    .where(eq(applicationDocument.id, replacedId));
}

/** Opens corrections again that a decision had closed. */
export async function reopenCorrections(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(applicationCorrection)
    .set({ closedAt: null })
    .where(inArray(applicationCorrection.id, [...ids]));
}
