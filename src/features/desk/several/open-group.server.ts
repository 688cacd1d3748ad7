import type { Language } from '~/base/languages.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { hashShown } from '../application/open-case.server.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { hasSeveralTravellers, byTraveller } from '~/features/application/travellers.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { duplicateMarks } from '../application/duplicates.server.ts';
import { actionRefusal, type CaseAction } from '../application/case-actions.ts';
import { claimHolders } from '../application/claim.server.ts';
import { describeAll } from '../application/detail.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { offeredTemplates } from '../settings/offered-templates.server.ts';
import { endsByRefund } from '~/features/status/end-case.server.ts';

/** The travellers of an order side by side, and a hash that changes with anything that others do there. */
export type OpenGroup = { orderNumber: string; view: GroupView; mark: string };

/**
 * Loads the travellers of an order for one of the staff; null where it is one person's. They are personal: the caller
 * records the views of every application in `ids` in the audit trail.
 */
export async function openGroup(...asked: Parameters<typeof describeGroup>) {
  const view = await describeGroup(...asked);
  if (!view) return null;
  // Every action extends a claim: until when it lasts is no news.
  const known = view.travellers.map(({ holder, ...rest }) => [rest, holder?.name]);
  const [, , order] = asked;
  return { orderNumber: order.number, view, mark: hashShown(known) } satisfies OpenGroup;
}

export type GroupView = NonNullable<Awaited<ReturnType<typeof describeGroup>>>;
export type TravellerView = GroupView['travellers'][number];

async function describeGroup(platform: Platform, staff: Staff, order: Order, language: Language) {
  const { db } = platform;
  const applications = await applicationsByOrder(db, order.number);
  if (!hasSeveralTravellers(applications)) return null;
  const visas = applications.filter(({ kind }) => kind === 'visa');
  const ids = visas.map(({ id }) => id);
  const [attempts, holders, alike, refunds] = await Promise.all([
    attemptsByReference(db, order.number),
    claimHolders(platform, staff, ids),
    duplicateMarks(db, ids),
    refundsByOrder(db, order.id),
  ]);
  const base = { order, attempts };
  const details = await describeAll(platform, visas, { language, reveal: false, base });
  const travellers = byTraveller(applications).flatMap(({ position, applications: its }) => {
    const visa = details.find(({ id }) => its.some((one) => one.id === id));
    if (!visa) return [];
    const insurance = its.find(({ kind }) => kind === 'insurance');
    const may = (action: CaseAction) => actionRefusal(action, visa, staff.role) === null;
    return {
      position,
      visa,
      insurance: insurance ? { number: insurance.number, status: insurance.status } : null,
      /** Who is working on it; null for nobody. */
      holder: holders.get(visa.id) ?? null,
      /** What can be done with the application. */
      may: { approve: may('approve'), reject: may('reject'), correction: may('correction') },
      hasDuplicate: alike.has(visa.id),
      isBeingRefunded: refunds.some((one) => endsByRefund(one, visa.number)),
      hasLeft: visa.lines.length === 0,
    };
  });
  const settings = await currentSettings(db);
  const reasons = details
    .filter(({ decidedAt }) => decidedAt === null)
    .map((one) => offeredTemplates(settings, one, { fields: [], language, at: platform.now() }));
  return {
    ids,
    orderNumber: order.number,
    travellers,
    /** The reasons of a rejection in each language that they are written to. */
    templates: [...new Map(reasons.map((one) => [one.language, one])).values()],
  };
}
