import { queueEmail } from '~/features/email/ledger/queue.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { resumeClock } from '../pause-store.server.ts';
import { addEvent, lockApplication, type Application } from '../store.server.ts';
import { overOf, type CorrectionAnswer } from './correction-answer.ts';
import { correctionById, markAnswered, type Correction } from './correction-store.server.ts';
import type { Change } from './correction.ts';

/** What the application would be with the traveller's corrections. */
export type CheckedCorrection<Problem> = {
  problems: Problem[];
  changes: readonly Change[];
  store: (tx: Transaction) => Promise<void>;
};

/** Applies a traveller's corrections once: all of them, after which the promised moment counts on, or none. */
export function applyCorrection<Details, Problem>(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  { id, applicationId }: Correction,
  typed: Readonly<Record<string, string>>,
  {
    lock = async () => undefined,
    detailsOf,
    checkAnswers,
  }: {
    /** Locks whatever must be locked before the application, in the order in which decisions take their locks. */
    lock?: (tx: Transaction, applicationId: string) => Promise<unknown>;
    detailsOf: (db: Queryable, sealer: Sealer, applicationId: string) => Promise<Details | null>;
    checkAnswers: (
      tx: Transaction,
      application: Application,
      details: Details,
      at: Date,
    ) => Promise<CheckedCorrection<Problem>>;
  },
): Promise<CorrectionAnswer<Problem>> {
  const at = now();
  return db.transaction(async (tx): Promise<CorrectionAnswer<Problem>> => {
    await lock(tx, applicationId);
    // Locked first, as a decision does, so that the two run one after the other.
    const application = await lockApplication(tx, applicationId);
    const details = await detailsOf(tx, sealer, applicationId);
    if (!application || !details || application.decidedAt) return { kind: 'over', why: 'over' };
    const over = overOf(await correctionById(tx, id));
    if (over) return { kind: 'over', why: over };
    const { problems, changes, store } = await checkAnswers(tx, application, details, at);
    if (problems.length > 0) return { kind: 'problems', problems, typed };
    if (changes.length === 0) return { kind: 'unchanged', typed };
    await markAnswered(tx, sealer, { id, at, changes });
    await store(tx);
    await resumeClock(tx, application, at);
    await addEvent(tx, { applicationId, kind: 'correction_answered', at });
    await queueEmail(tx, { kind: 'correction_ended', about: id, createdAt: at });
    return { kind: 'done' };
  });
}

/**
 * Locks the application until the transaction ends, so that nobody answers the correction or decides meanwhile; false
 * where either was done before, or staff have closed the correction.
 */
export async function lockOpenCorrection(
  tx: Transaction,
  { id, applicationId }: Correction,
): Promise<boolean> {
  const application = await lockApplication(tx, applicationId);
  return application?.decidedAt === null && overOf(await correctionById(tx, id)) === null;
}
