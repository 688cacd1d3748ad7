import type { Language } from '~/base/languages.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import { areSeveral, byTraveller } from '~/features/application/travellers.ts';
import { refundsOfOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { attemptsFor } from '~/features/payment/settlement/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { duplicateMarks } from '../application/duplicates.server.ts';
import { holdersOf } from '../application/claim.server.ts';
import { describeAll } from '../application/detail.server.ts';
import { endsByRefund } from '~/features/status/end-case.server.ts';

export type GroupView = NonNullable<Awaited<ReturnType<typeof describeGroup>>>;
export type TravellerView = GroupView['travellers'][number];

/**
 * The travellers of an order side by side; null where it is one person's. Personal: to show it is for the caller to write
 * into the audit trail, of every application in `ids`.
 */
export async function describeGroup(
  platform: Platform,
  staff: Staff,
  order: Order,
  language: Language,
) {
  const { db } = platform;
  const applications = await applicationsOfOrder(db, order.number);
  if (!areSeveral(applications)) return null;
  const visas = applications.filter(({ kind }) => kind === 'visa');
  const ids = visas.map(({ id }) => id);
  const [attempts, holders, alike, refunds] = await Promise.all([
    attemptsFor(db, order.number),
    holdersOf(platform, staff, ids),
    duplicateMarks(db, ids),
    refundsOfOrder(db, order.id),
  ]);
  const base = { order, attempts };
  const details = await describeAll(platform, visas, { language, reveal: false, base });
  const travellers = byTraveller(applications).flatMap(({ position, applications: its }) => {
    const visa = details.find(({ id }) => its.some((one) => one.id === id));
    if (!visa) return [];
    const insurance = its.find(({ kind }) => kind === 'insurance');
    return {
      position,
      visa,
      insurance: insurance ? { number: insurance.number, status: insurance.status } : null,
      /** Who is working on it; null for nobody. */
      holder: holders.get(visa.id) ?? null,
      hasDuplicate: alike.has(visa.id),
      isBeingRefunded: refunds.some((one) => endsByRefund(one, visa.number)),
      hasLeft: visa.lines.length === 0,
    };
  });
  return { ids, travellers };
}
