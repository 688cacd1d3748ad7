import { decimal, numbersIn, sumOf, wanted } from './group.ts';
import { persist, post } from './retrying-client.ts';
import { captureAtGateway, payByCard, startCard } from './pay-by-card.ts';
import { approveAtPaypal, startPaypal, captureAtPaypal } from './pay-by-paypal.ts';
import type { Refunded } from './staff.ts';
import type { Traveller, World } from './traveller.ts';

export type Purchase = {
  /** The number of the order that the service acknowledged with 201. */
  number: string;
  /** The numbers of its applications, a visa first. */
  applications: readonly string[];
  /** Whether a provider captured money of this traveller at least once. */
  paid: boolean;
  /** The refund that the service acknowledged with 201. */
  refund: Refunded | null;
};

/**
 * One payer with lost calls: applies, three in ten for a family, pays by card or PayPal, repeats every call until it is
 * answered. One in four closes the browser at the provider; one in eight pays twice, in two tabs; staff refund some of
 * them, for a family all or one member. For one family in four a member is rejected before payment.
 */
export async function purchase(world: World, key: string): Promise<Purchase> {
  const { address, random } = world;
  const part = () => 1 + Math.floor(Math.random() * 254);
  const headers = { 'x-forwarded-for': `198.51.${part()}.${part()}` };
  // One body for all tries, because a repeated key with another body is refused.
  const { path, body, prices } = wanted(random);
  const { order: number, applications } = await persist(async () => {
    const response = await post(address + path, body, { ...headers, 'idempotency-key': key });
    if (response.status !== 201)
      throw new Error(`apply: ${response.status} ${await response.text()}`);
    return numbersIn(await response.json());
  });
  const numberOf = new Map(prices.map((price, index) => [price, applications[index] ?? '']));
  const last = Math.max(...prices.map(({ member }) => member));
  const isOneRejected = last > 0 && random() < 0.25;
  if (isOneRejected) await world.staff.reject(applications[last] ?? '');
  const left = prices.filter(({ member }) => !(isOneRejected && member === last));
  const traveller: Traveller = { ...world, headers, amount: decimal(sumOf(left)) };
  const acknowledged = { number, applications };

  const luck = { byCard: random() < 0.5, twice: random() < 0.125, refunded: random() < 0.5 };
  const leaves = random() < 0.25;
  const partial = random() < 0.5;
  const lostResult = random() < 0.3;
  if (luck.twice) {
    await payTwice(traveller, number, luck.byCard);
    return { ...acknowledged, paid: true, refund: null };
  }
  const paid = await persist(() =>
    luck.byCard
      ? payByCard(traveller, number, { leaves, lostResult })
      : approveAtPaypal(traveller, number, { leaves }),
  );
  if (!luck.refunded || leaves || !paid) return { ...acknowledged, paid, refund: null };
  // For a family all or one member.
  const chosen =
    random() < 0.5
      ? Math.floor(random() * (Math.max(...left.map(({ member }) => member)) + 1))
      : null;
  const given = left.filter(({ member }) => chosen === null || member === chosen);
  const refund = await world.staff.addToRefunded(number, {
    partial,
    applications: given.map((price) => numberOf.get(price) ?? ''),
    amountMinor: given.reduce((sum, price) => sum + (partial ? price.cancelled : price.all), 0),
  });
  return { ...acknowledged, paid, refund };
}

/** Two tabs, both paid before either is reported: one payment is late and must be refunded. */
async function payTwice(traveller: Traveller, number: string, cardFirst: boolean): Promise<void> {
  const card = await persist(() => startCard(traveller, number));
  const paypal = await persist(() => startPaypal(traveller, number));
  const pay = [
    async () => card && (await captureAtGateway(traveller, card)),
    async () => paypal && (await captureAtPaypal(traveller, paypal)),
  ];
  for (const take of cardFirst ? pay : pay.toReversed()) await take();
}
