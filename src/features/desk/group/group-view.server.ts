import type { Language } from '~/base/languages.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import { areSeveral, byTraveller } from '~/features/application/travellers.ts';
import { refundsOfOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { attemptsFor } from '~/features/payment/settlement/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { duplicateMarks } from '../case-file/duplicates.server.ts';
import { claimsOn } from '../records/claim-store.server.ts';
import { describe } from '../records/detail.server.ts';
import { takesBack } from '../records/end-case.server.ts';

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
  const together = await applicationsOfOrder(db, order.number);
  if (!areSeveral(together)) return null;
  const visas = together.filter(({ kind }) => kind === 'visa');
  const ids = visas.map(({ id }) => id);
  const [attempts, claims, alike, refunds, lines] = await Promise.all([
    attemptsFor(db, order.number),
    claimsOn(db, ids, platform.now()),
    duplicateMarks(db, ids),
    refundsOfOrder(db, order.id),
    linesOf(db, order.id),
  ]);
  const others = [...claims.values()].filter(({ staffId }) => staffId !== staff.id);
  const names = await staffNames(
    db,
    others.map(({ staffId }) => staffId),
  );
  const travellers = byTraveller(together).map(async ({ position, applications }) => {
    const visa = applications.find(({ kind }) => kind === 'visa');
    const insurance = applications.find(({ kind }) => kind === 'insurance');
    if (!visa) return null;
    const claim = claims.get(visa.id);
    const base = { order, attempts, claim: claim ?? null };
    return {
      position,
      visa: await describe(platform, visa, { language, reveal: false, base }),
      insurance: insurance ? { number: insurance.number, status: insurance.status } : null,
      /** Who is working on it; null for nobody. `name`: of somebody else; null for the reader. */
      holder: claim
        ? {
            name: claim.staffId === staff.id ? null : (names.get(claim.staffId) ?? '?'),
            until: claim.expiresAt,
          }
        : null,
      hasDuplicate: alike.has(visa.id),
      isBeingRefunded: refunds.some((one) => takesBack(one, visa.number)),
      hasLeft: !lines.some(({ applicationNumber }) => applicationNumber === visa.number),
    };
  });
  const described = await Promise.all(travellers);
  return { ids, travellers: described.filter((one) => one !== null) };
}
