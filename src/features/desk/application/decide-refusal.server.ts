import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { rejectionCodesFor, speaks, type Rejection } from '~/features/application/rejection.ts';
import {
  currentDocument,
  eventsOf,
  type Application,
} from '~/features/application/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { claimsOn } from '~/features/application/claim/claim-store.server.ts';
import { isBeingRefunded } from '~/features/status/end-case.server.ts';
import { refusalBy } from './case-actions.ts';
import type { Decision, DecisionError, First } from './decision-types.ts';

/** Refuses a decision while somebody else is working on the application. */
export async function refuseClaimed(tx: Transaction, staff: Staff, id: string, now: Date) {
  const held = (await claimsOn(tx, [id], now)).get(id);
  if (!held || held.staffId === staff.id) return;
  const names = await staffNames(tx, [held.staffId]);
  const name = names.get(held.staffId) ?? '?';
  throw new Refusal({ code: 'claimed', name, until: held.expiresAt });
}

/** The reason of a rejection in its stored form. */
export const rejectionFrom = ({
  code = 'other',
  reason = '',
}: Extract<Decision, { kind: 'reject' }>): Rejection => ({ code, words: reason.trim() || null });

/**
 * Why a decision is not possible in an application's present state; null where it is. Form, draft and call all use it.
 * Payments for a closed order pay no application, so staff do not work on them.
 */
export async function refusalOf(
  db: Queryable,
  staff: Staff,
  found: Application,
  decision: Decision,
): Promise<DecisionError | null> {
  const { kind } = decision;
  const hasDocument = kind === 'attach' && (await currentDocument(db, found.id)) !== null;
  const facts = { status: found.status, paid: found.paidAt !== null, hasDocument };
  const refusal = refusalBy(kind, facts, staff.role);
  const hasMoved = kind !== 'attach' && (decision.seen ?? found.status) !== found.status;
  if (refusal === 'forbidden') return { code: refusal };
  if (refusal === 'stale' || hasMoved) return staleness(db, found);
  if (refusal !== null) return { code: refusal };
  if (kind === 'attach')
    return decision.fileId === undefined ? { code: 'document_required' } : null;
  if (kind !== 'reject') {
    const order = await orderByNumber(db, found.orderNumber);
    return order && (await isBeingRefunded(db, order, found)) ? { code: 'refunded' } : null;
  }
  const { code, words } = rejectionFrom(decision);
  const mayLackReason = found.kind === 'insurance' && decision.mayLackReason === true;
  if (!speaks(code) && words === null && !mayLackReason) return { code: 'reason_required' };
  return rejectionCodesFor(found.kind).includes(code) ? null : { code: 'reason_unknown' };
}

/** Who changed the application to its present status. */
export async function staleness(db: Queryable, found: Application): Promise<DecisionError> {
  const events = await eventsOf(db, found.id);
  const event = events.findLast(({ kind }) => kind === found.status);
  const names = await staffNames(db, event?.staffId ? [event.staffId] : []);
  const first: First | null = event
    ? { name: (event.staffId && names.get(event.staffId)) || null, at: event.at }
    : null;
  return { code: 'stale', status: found.status, first };
}

/** Rolls the transaction back and carries the reason. */
export class Refusal extends Error {
  readonly error: DecisionError;
  constructor(error: DecisionError) {
    super(error.code);
    this.error = error;
  }
}

export async function refusable(
  db: Platform['db'],
  work: (tx: Transaction) => Promise<Application>,
): Promise<Outcome<Application, DecisionError>> {
  try {
    return ok(await db.transaction(work));
  } catch (error) {
    if (error instanceof Refusal) return refused(error.error);
    throw error;
  }
}
