import { z } from 'zod';
import { type PartnerDoubles, unanswered } from './doubles.ts';
import type { ArmedPoint } from './driver.ts';
import { field, post, call, findForm, persist } from './retrying-client.ts';
import type { Staff, StaffRefund } from './staff.ts';
import { payByCard as payAtGateway, returnAddress } from '~/lab/gateway/gateway.server.ts';
import { approve, captureOrder } from '~/lab/paypal/simulated-paypal.server.ts';

const day = (fromToday: number) =>
  new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);

/** The body sent by a traveller from South Africa: 94.00 in all. */
export function application() {
  return {
    firstName: 'Thabo',
    lastName: 'Naidoo',
    email: 'thabo@traveller.example',
    phone: '+27 82 123 4567',
    passportNumber: `A${Math.floor(Math.random() * 1e8)}`,
    passportIssueDate: '2023-01-11',
    passportExpiryDate: day(2000),
    dateOfBirth: '1984-05-02',
    placeOfBirth: 'Durban',
    motherName: 'Nomsa Naidoo',
    fatherName: 'Sipho Naidoo',
    address: '12 Marine Parade, Durban 4001',
    arrivalDate: day(60),
    processingType: 'standard',
    documentType: 'ordinary',
    supportingDocumentNumber: null,
    supportingDocumentStartDate: null,
    supportingDocumentEndDate: null,
    countryId: 'ZAF',
    countryOfOrigin: 'South Africa',
    totalAmount: '94.00',
  };
}

/** What somebody applies for: the call, and its costs in cents, one entry for each application. */
type WantedApplications = {
  path: string;
  body: { totalAmount: string };
  /** Visas in the order of the call, then insurances in the order of the travellers. */
  prices: readonly Price[];
};

/** In cents: the price, and what is refunded of it an hour after payment. Members are counted from 0. */
type Price = { member: number; kind: 'visa' | 'insurance'; all: number; cancelled: number };

/** 69.00 of a visa and a tenth of an insurance are not refunded (`refund-policy.ts`). */
const VISA = { kind: 'visa', all: 94_00, cancelled: 25_00 } as const;
const INSURANCE = { kind: 'insurance', all: 149_00, cancelled: 134_10 } as const;

/** One traveller, or in three of ten purchases two to five, each insured or not: adults, so no photos are needed. */
export function wanted(random: () => number): WantedApplications {
  if (random() >= 0.3) {
    const body = application();
    return { path: '/api/applications', body, prices: [{ ...VISA, member: 0 }] };
  }
  const size = 2 + Math.floor(random() * 4);
  const members = Array.from({ length: size }, (_, index) => index);
  const insured = members.filter(() => random() < 0.4);
  const prices = [
    ...members.map((member) => ({ ...VISA, member })),
    ...insured.map((member) => ({ ...INSURANCE, member })),
  ];
  const body = {
    applications: members.map((member) => ({
      ...application(),
      firstName: `Thabo${'ABCDE'[member]}`,
      purpose: 'tourism',
      // Not random alone: two of one order must differ.
      passportNumber: `G${member}${Math.floor(Math.random() * 1e7)}`,
    })),
    insurances: insured.map((member) => ({ application: member, productId: '14-days' })),
    totalAmount: decimal(sumPrices(prices)),
  };
  return { path: '/api/orders', body, prices };
}

const sumPrices = (prices: readonly Price[]): number =>
  prices.reduce((sum, { all }) => sum + all, 0);

/** Cents as the calls write them. */
export const decimal = (cents: number): string => (cents / 100).toFixed(2);

const answers = z.union([
  z
    .object({ applicationNumber: z.string() })
    .transform(({ applicationNumber: number }) => ({ order: number, applications: [number] })),
  z
    .object({
      orderNumber: z.string(),
      applicationNumbers: z.array(z.string()),
      insuranceNumbers: z.array(z.string()),
    })
    .transform(({ orderNumber, applicationNumbers, insuranceNumbers }) => ({
      order: orderNumber,
      applications: [...applicationNumbers, ...insuranceNumbers],
    })),
]);

/**
 * The numbers in the answer to a call of `WantedApplications`, applications in the order of `prices`.
 * @throws ZodError for any other answer.
 */
const answerNumbers = (answer: unknown): z.infer<typeof answers> => answers.parse(answer);

/** What a traveller uses. */
type CrashWorld = {
  address: string;
  doubles: PartnerDoubles;
  staff: Staff;
  armedPoint: ArmedPoint;
  random: () => number;
  committed(attemptId: string): Promise<void>;
};

/** The traveller's own network address, and the order's amount. */
export type Traveller = CrashWorld & { headers: Record<string, string>; amount: string };

/** Starts a payment; null where the order is paid already. */
export async function started(
  { address, headers, amount }: Traveller,
  path: string,
  number: string,
): Promise<unknown> {
  const response = await post(
    `${address}${path}`,
    { amount, currency: 'USD', orderReference: number },
    headers,
  );
  const body: unknown = await response.json();
  if (response.status === 409 && field(body, 'code') === 'already_paid') return null;
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return body;
}

const card = {
  cardHolder: 'Thabo Naidoo',
  cardNumber: '4111 1111 1111 1111',
  expiryDate: '12/30',
  cvv: '123',
};

/**
 * Presses our Pay button and submits the form to the gateway; returns the attempt, or null where the order is paid
 * already.
 */
export async function startCard(traveller: Traveller, number: string): Promise<string | null> {
  const answer = await started(traveller, '/api/payment/create', number);
  if (answer === null) return null;
  const { headers } = traveller;
  const page = await call(field(answer, 'paymentUrl'), { headers });
  const { action, fields } = findForm(await page.text());
  const checkout = await call(action, { method: 'POST', body: fields, redirect: 'manual' });
  if (checkout.status !== 303) throw new Error(`gateway: ${checkout.status}`);
  return field(answer, 'paymentId');
}

/**
 * Pays by card and comes back. `lostResult`: neither browser nor notification brings the result, so that the service has
 * to ask for it.
 */
export async function payByCard(
  traveller: Traveller,
  number: string,
  { leaves, lostResult }: { leaves: boolean; lostResult: boolean },
): Promise<boolean> {
  const attemptId = await startCard(traveller, number);
  if (attemptId === null) return true;
  const { gateway, silent } = traveller.doubles;
  if (lostResult) {
    silent.add(attemptId);
    void gateway.faults.plan({ on: 'notification', how: 'never', orderRef: attemptId });
    void gateway.faults.plan({ on: 'return', how: 'never', orderRef: attemptId });
  }
  const back = await captureAtGateway(traveller, attemptId);
  // A browser that loses the redirect does not try again: the payment is captured, and the service must find out.
  if (!leaves) await call(back, { headers: traveller.headers }).catch(() => undefined);
  return true;
}

/** Has the gateway capture; returns where the browser would go then. */
async function captureAtGateway(
  { doubles: { gateway } }: Traveller,
  attemptId: string,
): Promise<string> {
  const answer = await payAtGateway(gateway, attemptId, card);
  if (answer.kind !== 'decided') throw new Error(`gateway: ${answer.kind}`);
  return returnAddress(gateway, answer.transaction);
}

type Begun = { id: string; attemptId: string };

/** Presses our PayPal button; null where the order is paid already. */
async function startPaypal(traveller: Traveller, number: string): Promise<Begun | null> {
  const answer = await started(traveller, '/paypal/order', number);
  return answer === null
    ? null
    : { id: field(answer, 'id'), attemptId: field(answer, 'paymentId') };
}

/** Approves at PayPal and comes back, repeatedly until the service answers, unless the payer leaves. */
async function approveAtPaypal(
  traveller: Traveller,
  number: string,
  { leaves }: { leaves: boolean },
): Promise<boolean> {
  const begun = await startPaypal(traveller, number);
  if (begun === null) return true;
  const { doubles, armedPoint, headers, committed } = traveller;
  const back = await approve(doubles.paypal, begun.id);
  if (back === null) throw new Error('PayPal does not know the order');
  if (leaves) return true;
  await persist(async () => {
    const isKillPoint = armedPoint.take('paypal notified');
    const coming = call(back, { headers });
    if (isKillPoint) return unanswered(coming, committed(begun.attemptId), armedPoint);
    return coming;
  });
  return true;
}

/** Has PayPal capture without a call of ours. */
async function captureAtPaypal({ doubles: { paypal } }: Traveller, { id }: Begun) {
  await approve(paypal, id);
  await paypal.db.transaction((tx) => captureOrder(tx, paypal, id));
}

export type Purchase = {
  /** The number of the order that the service acknowledged with 201. */
  number: string;
  /** The numbers of its applications, a visa first. */
  applications: readonly string[];
  /** Whether a provider captured money of this traveller at least once. */
  paid: boolean;
  /** The refund that the service acknowledged with 201. */
  refund: StaffRefund | null;
};

/**
 * One payer with lost calls: applies, three in ten for a family, pays by card or PayPal, repeats every call until it is
 * answered. One in four closes the browser at the provider; one in eight pays twice, in two tabs; staff refund some of
 * them, for a family all or one member. For one family in four a member is rejected before payment.
 */
export async function purchase(world: CrashWorld, key: string): Promise<Purchase> {
  const { random } = world;
  const { number, applications, prices, headers } = await apply(world, key);
  const numberOf = new Map(prices.map((price, index) => [price, applications[index] ?? '']));
  const last = Math.max(...prices.map(({ member }) => member));
  const isOneRejected = last > 0 && random() < 0.25;
  if (isOneRejected) await world.staff.reject(applications[last] ?? '');
  const left = prices.filter(({ member }) => !(isOneRejected && member === last));
  const traveller: Traveller = { ...world, headers, amount: decimal(sumPrices(left)) };
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

/** Places an order, repeating the call until it is answered; `headers`: of its payer's browser. */
async function apply({ address, random }: CrashWorld, key: string) {
  const part = () => 1 + Math.floor(Math.random() * 254);
  const headers = { 'x-forwarded-for': `198.51.${part()}.${part()}` };
  // One body for all tries, because a repeated key with another body is refused.
  const { path, body, prices } = wanted(random);
  const { order: number, applications } = await persist(async () => {
    const response = await post(address + path, body, { ...headers, 'idempotency-key': key });
    if (response.status !== 201)
      throw new Error(`apply: ${response.status} ${await response.text()}`);
    return answerNumbers(await response.json());
  });
  return { number, applications, prices, headers };
}

/** Somebody who applies, pays all of it by card and comes back. */
export async function payAtOnce(world: CrashWorld, key: string): Promise<Purchase> {
  const { number, applications, prices, headers } = await apply(world, key);
  const traveller = { ...world, headers, amount: decimal(sumPrices(prices)) };
  await persist(() => payByCard(traveller, number, { leaves: false, lostResult: false }));
  return { number, applications, paid: true, refund: null };
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
