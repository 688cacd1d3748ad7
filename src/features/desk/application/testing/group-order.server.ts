import { whenPaid } from '~/app/composition/payments.server.ts';
import { applicationsOfOrder, type Application } from '~/features/application/store.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { groupApi } from '~/features/group/api.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import type { Answers } from '~/features/visa/rules/answers.ts';
import { completeAnswers, countries } from '~/features/visa/testing/sample-answers.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { storeCapture } from '~/features/payment/testing/sample-attempts.ts';

/** Answers of one traveller; an insured one is insured for 30 days. */
export type SampleTraveller = Answers & { firstName: string; isInsured?: boolean };

export type GroupOrder = {
  order: Order;
  /** By traveller, in order. */
  visas: Application[];
  /** By the position of the traveller, from 1. */
  insurances: Map<number, Application>;
};

/** Seeds what orders of several travellers need; call it before the first one. */
export const seedGroups = ({ db, now }: Platform) =>
  seedAll(db, [seedCatalog, seedInsurance], now());

/**
 * Places one unpaid order of these adults from South Africa, as its call does: with the sample's answers except for
 * those given. The platform's clock must stand at the sample's `NOW`.
 */
export async function placeGroup(
  platform: Platform,
  travellers: readonly SampleTraveller[],
  headers: Record<string, string> = {},
): Promise<GroupOrder> {
  const applications = travellers.map(({ isInsured: _, ...answers }, index) => ({
    ...completeAnswers(countries.southAfrica),
    passportNumber: `P${answers.firstName.toUpperCase()}${index}`,
    ...answers,
  }));
  const insurances = travellers.flatMap(({ isInsured }, application) =>
    isInsured ? [{ application, productId: '30-days' }] : [],
  );
  const app = groupApi(platform);
  const post = async (totalAmount: string) => {
    const body = JSON.stringify({ applications, insurances, totalAmount });
    const headersSent = { 'content-type': 'application/json', ...headers };
    const answer = await app.request('/api/orders', { method: 'POST', headers: headersSent, body });
    const content: Record<string, unknown> = await answer.json();
    return { status: answer.status, content };
  };
  const asked = await post('0.01');
  const { status, content } = await post(String(asked.content.totalAmount));
  if (status !== 201) throw new Error(JSON.stringify(content));
  const order = await orderByNumber(platform.db, String(content.orderNumber));
  if (!order) throw new Error('The order was not stored');
  const together = await applicationsOfOrder(platform.db, order.number);
  return {
    order,
    visas: together.filter(({ kind }) => kind === 'visa'),
    insurances: new Map(
      together
        .filter(({ kind }) => kind === 'insurance')
        .map((one) => [one.travellerPosition, one] as const),
    ),
  };
}

/** Pays the order, with everything that a payment causes. */
export async function payGroup(platform: Platform, { number }: Pick<Order, 'number'>) {
  const order = await orderByNumber(platform.db, number);
  if (!order) throw new Error('There is no such order');
  const at = platform.now();
  await platform.db.transaction(async (tx) => {
    const attemptId = await storeCapture(tx, order, at);
    await whenPaid(platform.config)(tx, { reference: number, attemptId, at });
  });
}
