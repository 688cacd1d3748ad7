import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { rejectionCodesFor, speaks, type Rejection } from '~/features/application/rejection.ts';
import { mayDecide, type StatusEvent } from '~/features/application/status-machine.ts';
import { eventsOf, type Application } from '~/features/application/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { claimsOn } from '../records/claim-store.server.ts';
import type { DecisionError, First } from './decision.ts';

/** Two people do not decide on one application side by side: whoever opened it first goes first. */
export async function refuseClaimed(tx: Transaction, staff: Staff, id: string, now: Date) {
  const held = (await claimsOn(tx, [id], now)).get(id);
  if (!held || held.staffId === staff.id) return;
  const names = await staffNames(tx, [held.staffId]);
  const name = names.get(held.staffId) ?? '?';
  throw new Refusal({ code: 'claimed', name, until: held.expiresAt });
}

/**
 * What forbids a decision on an application as it stands; form, draft and call ask this alone. Money for a closed order
 * pays none of its applications: nobody works on them.
 */
export function refusalOf(
  found: Application,
  event: StatusEvent,
  rejection: Rejection | undefined,
): DecisionError | null {
  if (!mayDecide(found.status, found.paidAt !== null, event)) return { code: 'unpaid' };
  if (!rejection) return null;
  if (!speaks(rejection.code) && rejection.words === null) return { code: 'reason_required' };
  return rejectionCodesFor(found.kind).includes(rejection.code) ? null : { code: 'reason_unknown' };
}

/** Who brought the application into its present status. */
export async function staleness(tx: Transaction, found: Application): Promise<DecisionError> {
  const events = await eventsOf(tx, found.id);
  const event = events.findLast(({ kind }) => kind === found.status);
  const names = await staffNames(tx, event?.staffId ? [event.staffId] : []);
  const first: First | null = event
    ? { name: (event.staffId && names.get(event.staffId)) || null, at: event.at }
    : null;
  return { code: 'stale', status: found.status, first };
}

/** Undoes the transaction and carries why. */
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
