import { countHeldRefunds } from '~/features/order/order-refund-store.server.ts';
import { partnersDown } from '~/features/payment/outage/outage.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable } from '~/platform/database.server.ts';
import { countOpenAlerts } from '../payments-store.server.ts';
import type { DeskSignals } from './signals.ts';

/** Counts what waits for this person: refunds that somebody else asked for, and alerts. Both have indexes of what is open. */
export async function deskSignals(db: Queryable, staff: Staff): Promise<DeskSignals> {
  const maySeePayments = may(staff.role, 'view_payments');
  const [refunds, alerts, down] = await Promise.all([
    may(staff.role, 'release_refund') ? countHeldRefunds(db, { notBy: staff.id }) : 0,
    maySeePayments ? countOpenAlerts(db) : 0,
    partnersDown(db),
  ]);
  return { refunds, alerts, partnersDown: down, maySeePayments };
}
