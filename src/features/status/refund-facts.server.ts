import { applicationsOfOrder, eventsByApplication } from '~/features/application/store.server.ts';
import { coverStart } from './cover-start.ts';
import type { ApplicationThen } from '~/features/order/refunds/refund-proposal.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { isMissed } from '~/features/application/promised.ts';

/**
 * The state of an order's applications when their refund was asked for, and promises missed until `now`; `only`
 * restricts it to some of them.
 */
export async function applicationsThen(
  db: Queryable,
  orderNumber: string,
  { askedAt, now }: { askedAt: Date; now: Date },
  only?: readonly string[],
): Promise<Map<string, ApplicationThen>> {
  const all = await applicationsOfOrder(db, orderNumber);
  const meant = only ? all.filter(({ number }) => only.includes(number)) : all;
  const events = await eventsByApplication(
    db,
    meant.map(({ id }) => id),
  );
  const facts = meant.map((application) => {
    const before = (events.get(application.id) ?? []).filter(({ at }) => at <= askedAt);
    const startsAt = coverStart(application);
    const missed = isMissed(application, now);
    return [application.number, { pending: !wasHandled(before), startsAt, missed }] as const;
  });
  return new Map(facts);
}

/** Statuses of an application that is no longer pending. */
const moved: readonly string[] = ['processing', 'approved', 'rejected'];

/** Whether an application with these events is no longer pending: sent to the authorities, or decided. */
export const wasHandled = (events: readonly { kind: string }[]): boolean =>
  events.some(({ kind }) => moved.includes(kind));
