import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { nextOpening } from '~/base/dates/working-hours.ts';
import { officeIn } from '~/features/settings/office.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Application } from './store.server.ts';
import { application, applicationEarlierPassport } from './tables.server.ts';

/** Pauses a paid, undecided application until its traveller answers; returns false where it cannot be paused. */
export async function pauseClock(tx: Transaction, id: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(application)
    .set({ actionRequired: true, pausedAt: at })
    .where(
      and(
        eq(application.id, id),
        isNotNull(application.paidAt),
        isNull(application.decidedAt),
        isNull(application.pausedAt),
      ),
    )
    .returning({ id: application.id });
  return rows.length > 0;
}

/**
 * Ends the pause: the promised moment moves by the time it lasted, on to the next opening where that would lie outside
 * working hours, closures known `at` this moment included. Does nothing to an application that is not paused.
 */
export async function resumeClock(
  tx: Transaction,
  { id, pausedAt, promisedAt }: Application,
  at: Date,
): Promise<void> {
  if (!pausedAt) return;
  const stood = Math.max(at.getTime() - pausedAt.getTime(), 0);
  const moved =
    promisedAt && nextOpening(new Date(promisedAt.getTime() + stood), await officeIn(tx, at));
  await tx
    .update(application)
    .set({ actionRequired: false, pausedAt: null, promisedAt: moved })
    .where(eq(application.id, id));
}

/** The columns that a correction may change. */
export type Corrected = Partial<
  Pick<Application, 'firstName' | 'lastName' | 'dateOfBirth' | 'phone' | 'startsOn'>
>;

export async function correctApplication(tx: Transaction, id: string, changes: Corrected) {
  if (Object.keys(changes).length === 0) return;
  await tx.update(application).set(changes).where(eq(application.id, id));
}

/**
 * Stores the passport that an application named so far, before it is replaced; the hashes are keyed as those of the
 * application's kind.
 */
export async function rememberPassport(
  tx: Transaction,
  { applicationId, before, after }: { applicationId: string; before?: Buffer; after: Buffer },
): Promise<void> {
  if (!before || before.equals(after)) return;
  await tx
    .insert(applicationEarlierPassport)
    .values({ applicationId, passportHash: before })
    .onConflictDoNothing();
}
