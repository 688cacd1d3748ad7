import type { Agent } from 'node:http';
import { z } from 'zod';
import { Browser, expectStatus, type BenchResponse } from './browser.ts';

const day = (fromToday: number) =>
  new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);

let travellers = 0;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A traveller with a name, passport and address of their own. */
export function newTraveller() {
  const n = travellers++;
  const letters = [n, n / 26, n / 676, n / 17_576]
    .map((part) => LETTERS[Math.floor(part) % 26])
    .join('')
    .toLowerCase();
  return {
    firstName: 'Thandi',
    lastName: `Nkosi ${letters}`,
    email: `thandi.${letters}@mail.example`,
    phone: '+27 31 555 0142',
    passportNumber: `A${String(10_000_000 + n)}`,
    passportIssueDate: '2022-03-01',
    passportExpiryDate: day(3000),
    dateOfBirth: '1990-05-17',
    placeOfBirth: 'Durban',
    motherName: 'Zanele Nkosi',
    fatherName: 'Sipho Nkosi',
    address: '12 Marine Parade, 4001 Durban',
    arrivalDate: day(60),
    processingType: 'standard',
    documentType: 'ordinary',
    countryId: 'ZAF',
    totalAmount: '94.00',
  };
}

type Traveller = ReturnType<typeof newTraveller>;

/** A date in the three controls of a page. */
function dateControls(field: string, date: string): Record<string, string> {
  const [year = '', month = '', dayOfMonth = ''] = date.split('-');
  return { [`${field}-day`]: dayOfMonth, [`${field}-month`]: month, [`${field}-year`]: year };
}

const DETAILS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'passportNumber',
  'placeOfBirth',
  'motherName',
  'fatherName',
  'address',
] as const;
const DATES = ['passportIssueDate', 'passportExpiryDate', 'dateOfBirth'] as const;

/** The answers of each page, and the next page. */
const pages = (traveller: Traveller): readonly [string, Record<string, string>][] => [
  ['/application', { countryId: 'ZAF', documentType: 'ordinary' }],
  ['/application/what-it-allows', { purpose: 'tourism' }],
  [
    '/application/arrival',
    { ...dateControls('arrivalDate', traveller.arrivalDate), processingType: 'standard' },
  ],
  [
    '/application/details',
    {
      ...Object.fromEntries(DETAILS.map((name) => [name, traveller[name]])),
      ...Object.assign({}, ...DATES.map((name) => dateControls(name, traveller[name]))),
    },
  ],
  ['/application/review', {}],
];

/**
 * From the first page to the redirect to the provider, over HTTP without scripts: ten requests, which store
 * application, order and attempt.
 */
export async function walkWizard(port: number, agent: Agent): Promise<void> {
  await walk(new Browser(port, agent), newTraveller());
}

/** A browser whose draft is at the arrival step. */
export async function openArrival(port: number, agent: Agent): Promise<Browser> {
  const browser = new Browser(port, agent);
  await walk(browser, newTraveller(), 2);
  return browser;
}

async function walk(browser: Browser, traveller: Traveller, steps = Infinity): Promise<void> {
  const all = pages(traveller);
  for (const [index, [path, fields]] of all.slice(0, steps).entries()) {
    expectStatus(await browser.get(path), 200, `GET ${path}`);
    const next = all[index + 1]?.[0];
    const intent = next ? 'next' : 'pay';
    const answered = await browser.submit(path, { intent, ...fields });
    const location = answered.headers.location ?? '';
    const isRight = next
      ? location.endsWith(next)
      : location !== '' && !/\/(application|payment-failed)/.test(location);
    if (answered.status >= 400 || !isRight) {
      expectStatus(answered, 303, `POST ${path} (leads to ${location || 'nowhere'})`);
      throw new Error(`POST ${path} leads to ${location}`);
    }
  }
}

const created = z.object({ applicationNumber: z.string() });

/** `POST /api/applications`, as a page with script sends it. */
export async function apply(browser: Browser): Promise<BenchResponse> {
  return expectStatus(await browser.json('/api/applications', newTraveller()), 201, 'applying');
}

/** A stored, unpaid application and the browser that made it. */
export async function makeUnpaidApplication(port: number, agent: Agent) {
  const browser = new Browser(port, agent);
  const { body } = await apply(browser);
  return { browser, number: created.parse(JSON.parse(body.toString())).applicationNumber };
}

/** `POST /api/payment/create` for an order without attempts. */
export async function startPayment({ browser, number }: { browser: Browser; number: string }) {
  const asked = { amount: '94.00', currency: 'USD', orderReference: number };
  expectStatus(await browser.json('/api/payment/create', asked), 200, 'starting a payment');
}

export const ADMIN = {
  ADMIN_EMAIL: 'desk@lale.example',
  ADMIN_PASSWORD: 'violet kettle harbour plum',
};

/** A browser signed in at the desk. */
export async function openDesk(port: number, agent: Agent): Promise<Browser> {
  const browser = new Browser(port, agent);
  const account = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
  await browser.submit('/admin', account);
  expectStatus(await browser.get('/admin'), 200, 'the desk');
  return browser;
}
