import { setTimeout as sleep } from 'node:timers/promises';

export type Purchase = {
  key: string;
  /** The number that the service acknowledged with 201. */
  number: string;
  /** Whether this traveller pressed Pay at the gateway at least once and saw it accepted. */
  paid: boolean;
};

type Options = { key: string; random: () => number };

const GIVE_UP_MS = 120_000;

/**
 * One traveller on a bad line: repeats every call until it is answered, pays, and one time in four closes the browser
 * at the gateway, before the way back.
 */
export async function purchase(address: string, { key, random }: Options): Promise<Purchase> {
  // One body for all tries: a key that comes again with another body is refused.
  const body = application();
  const number = await persist(async () => {
    const response = await post(`${address}/api/applications`, body, {
      'idempotency-key': key,
    });
    if (response.status !== 201)
      throw new Error(`apply: ${response.status} ${await response.text()}`);
    return field(await response.json(), 'applicationNumber');
  });

  const leaves = random() < 0.25;
  const paid = await persist(async () => {
    const response = await post(`${address}/api/payment/create`, {
      amount: '94.00',
      currency: 'USD',
      orderReference: number,
    });
    const body: unknown = await response.json();
    if (response.status === 409 && field(body, 'code') === 'already_paid') return true;
    if (!response.ok) throw new Error(`pay: ${response.status}`);
    return payAtGateway(address, field(body, 'paymentUrl'), leaves);
  });
  return { key, number, paid };
}

async function payAtGateway(
  address: string,
  paymentUrl: string,
  leaves: boolean,
): Promise<boolean> {
  const page = await (await fetch(paymentUrl)).text();
  const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
  if (!action) throw new Error('no form on the redirect page');
  const fields = [...page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => [
    unescape(/name="([^"]*)"/.exec(tag)?.[1] ?? ''),
    unescape(/value="([^"]*)"/.exec(tag)?.[1] ?? ''),
  ]);
  const checkout = await fetch(unescape(action), {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  const location = checkout.headers.get('location');
  if (checkout.status !== 303 || !location) throw new Error(`gateway: ${checkout.status}`);
  if (!location.includes('/mock-gpay-payment')) return true;
  const decided = await fetch(location, {
    method: 'POST',
    headers: { origin: address },
    body: new URLSearchParams({
      order: new URL(location).searchParams.get('order') ?? '',
      cardHolder: 'Thabo Naidoo',
      cardNumber: '4111 1111 1111 1111',
      expiryDate: '12/30',
      cvv: '123',
    }),
    redirect: 'manual',
  });
  if (decided.status >= 400) throw new Error(`card: ${decided.status}`);
  if (leaves) return true;
  // The gateway's page, our callback, the page that thanks.
  await fetch(new URL(decided.headers.get('location') ?? '/', address));
  return true;
}

/** Repeats until it works: a dead service, a dead database and a lost answer look the same from outside. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(150);
    }
  }
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });

function field(body: unknown, name: string): string {
  const value =
    typeof body === 'object' && body !== null
      ? Object.entries(body).find(([key]) => key === name)?.[1]
      : undefined;
  if (typeof value !== 'string') throw new Error(`no ${name} in the answer`);
  return value;
}

const unescape = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const day = (fromToday: number) =>
  new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);

function application() {
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
