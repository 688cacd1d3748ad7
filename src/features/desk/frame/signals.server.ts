import { countHeldRefunds } from '~/features/order/order-refund-store.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable } from '~/platform/database.server.ts';
import { countOpenAlerts } from '../payments-store.server.ts';
import type { DeskSignals } from './signals.ts';

/** Counts what waits for this person: refunds that somebody else asked for, and alerts. Both have indexes of what is open. */
export async function deskSignals(db: Queryable, staff: Staff): Promise<DeskSignals> {
  const [refunds, alerts] = await Promise.all([
    may(staff.role, 'release_refund') ? countHeldRefunds(db, { notBy: staff.id }) : 0,
    may(staff.role, 'view_payments') ? countOpenAlerts(db) : 0,
  ]);
  return { refunds, alerts };
}
