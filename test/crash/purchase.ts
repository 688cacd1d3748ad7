import { application } from './application.ts';
import { field, persist, post } from './line.ts';
import { captureByItself, payByCard, startCard } from './pay-by-card.ts';
import { approveAtPaypal, startPaypal, takeByItself } from './pay-by-paypal.ts';
import type { Refunded } from './staff.ts';
import type { Traveller, World } from './traveller.ts';

export type Purchase = {
  /** The number that the service acknowledged with 201. */
  number: string;
  /** Whether a partner took this traveller's money at least once. */
  paid: boolean;
  /** The refund that the service acknowledged with 201. */
  refund: Refunded | null;
};

/**
 * One traveller on a bad line: applies, pays by card or PayPal, repeats every call until it is answered. One in four
 * closes the browser at the partner; one in eight pays twice, in two tabs; staff give some of them money back.
 */
export async function purchase(world: World, key: string): Promise<Purchase> {
  const { address, random } = world;
  const part = () => 1 + Math.floor(Math.random() * 254);
  const headers = { 'x-forwarded-for': `198.51.${part()}.${part()}` };
  const traveller: Traveller = { ...world, headers };
  // One body for all tries: a key that comes again with another body is refused.
  const body = application();
  const number = await persist(async () => {
    const response = await post(`${address}/api/applications`, body, {
      ...headers,
      'idempotency-key': key,
    });
    if (response.status !== 201)
      throw new Error(`apply: ${response.status} ${await response.text()}`);
    return field(await response.json(), 'applicationNumber');
  });

  const luck = { byCard: random() < 0.5, twice: random() < 0.125, refunded: random() < 0.5 };
  const leaves = random() < 0.25;
  const partial = random() < 0.5;
  const lostWord = random() < 0.3;
  if (luck.twice) {
    await payTwice(traveller, number, luck.byCard);
    return { number, paid: true, refund: null };
  }
  const paid = await persist(() =>
    luck.byCard
      ? payByCard(traveller, number, { leaves, lostWord })
      : approveAtPaypal(traveller, number, { leaves }),
  );
  const refund =
    luck.refunded && !leaves && paid ? await world.staff.giveBack(number, { partial }) : null;
  return { number, paid, refund };
}

/** Two tabs, both paid before either is told: one payment is late and has to go back. */
async function payTwice(traveller: Traveller, number: string, cardFirst: boolean): Promise<void> {
  const card = await persist(() => startCard(traveller, number));
  const paypal = await persist(() => startPaypal(traveller, number));
  const pay = [
    async () => card && (await captureByItself(traveller, card)),
    async () => paypal && (await takeByItself(traveller, paypal)),
  ];
  for (const take of cardFirst ? pay : pay.toReversed()) await take();
}
