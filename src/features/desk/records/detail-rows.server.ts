import { correctionsByApplication } from '~/features/application/correction/correction-store.server.ts';
import { eventsByApplication, type Application } from '~/features/application/store.server.ts';
import { photosByApplication } from '~/features/insurance/store/photo-store.server.ts';
import { insuranceRows } from '~/features/insurance/store/store.server.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import { receiptsOfOrder } from '~/features/order/receipt/store.server.ts';
import { returnedOf } from '~/features/order/refunds/order-refund-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { decisionMailMoments, documentsByApplication, visaRows } from './store.server.ts';

export type DetailRows = Awaited<ReturnType<typeof detailRows>>;

/**
 * Reads what the desk shows of applications of one order, each table once for all of them; by application, or by its
 * number.
 */
export async function detailRows(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  applications: readonly Application[],
  order: Order | null,
) {
  const idsOf = (isAsked: (one: Application) => boolean) =>
    applications.filter(isAsked).map(({ id }) => id);
  const ids = idsOf(() => true);
  const insuranceIds = idsOf(({ kind }) => kind === 'insurance');
  const [
    visas,
    insurances,
    mails,
    events,
    documents,
    corrections,
    lines,
    receipts,
    returned,
    photos,
  ] = await Promise.all([
    visaRows(
      db,
      idsOf(({ kind }) => kind === 'visa'),
    ),
    insuranceRows(db, insuranceIds),
    decisionMailMoments(
      db,
      idsOf(({ decidedAt }) => decidedAt !== null),
    ),
    eventsByApplication(db, ids),
    documentsByApplication(db, ids),
    correctionsByApplication(db, ids),
    order ? linesOf(db, order.id) : [],
    order ? receiptsOfOrder(db, order.id) : [],
    returnedOf(
      db,
      applications.map(({ number }) => number),
    ),
    photosByApplication(db, sealer, insuranceIds),
  ]);
  const staff = [...events.values(), ...documents.values()]
    .flat()
    .flatMap(({ staffId }) => staffId ?? []);
  const names = await staffNames(db, [...new Set(staff)]);
  return {
    visas,
    insurances,
    mails,
    events,
    documents,
    corrections,
    lines,
    receipts,
    returned,
    photos,
    names,
  };
}
