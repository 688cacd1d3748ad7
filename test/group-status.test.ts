import { beforeAll, describe, expect, test } from 'vitest';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { askCorrection } from '../src/features/desk/application/ask-correction.server.ts';
import { decideApplication } from '../src/features/desk/application/decide.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { NOW } from '../src/features/visa/testing/sample-answers.ts';
import { makeOrder, type MadeOrder, uploadPdf } from './make.ts';
import { makeTestApp } from './pages.ts';
import { purchases } from './purchases.ts';
import { startTestService } from './service.ts';
import { applicationsByOrder, type Application } from '../src/features/application/store.server.ts';
import { needed } from './needed.ts';

const service = await startTestService({ now: NOW, variables: { TRUST_PROXY: 'yes' } });
const { platform, payments } = service;
const app = makeTestApp(platform, payments);
const { start, pay, comeBack } = purchases(service);
const { db } = platform;

let visitor = 0;
const get = (path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers: { 'x-forwarded-for': `192.0.2.${visitor++}`, ...headers } });
/** All text of a page and its data for scripts, without tags and without spaces in numbers. */
const everything = async (path: string, headers: Record<string, string> = {}) =>
  (await (await get(path, headers)).text()).replaceAll(/<!-- -->/g, '');
const textOf = (html: string) =>
  (html.split('<script id="page-data"')[0] ?? '').replaceAll(/<[^>]*>/g, '');
const cardsOf = (html: string) =>
  html
    .split('data-testid="traveller-')
    .slice(1)
    .map((card) => textOf(card));

let family: MadeOrder;
let unpaid: MadeOrder;
let held: Application[];

/** Anna waits, Bela is approved and insured, Carl is asked for a correction, Dora is rejected. */
beforeAll(async () => {
  await seedAll(db, seeders, NOW);
  unpaid = await makeOrder(platform);
  family = await makeOrder(platform);
  await comeBack(await pay(await start(family.order)));
  await service.runJobs();
  held = await applicationsByOrder(db, family.order.number);
  const visa = (name: string) =>
    needed(held.find((one) => one.kind === 'visa' && one.firstName === name));
  const staff = await storeStaff(platform);
  const fileId = await uploadPdf(platform, staff);
  const asked = { fields: ['passportNumber'], note: 'See page 2' };
  const done = [
    await decideApplication(platform, staff, {
      kind: 'approve',
      applicationId: visa('Bela').id,
      fileId,
    }),
    await askCorrection(platform, staff, { applicationId: visa('Carl').id, ...asked }),
    await decideApplication(platform, staff, {
      kind: 'reject',
      applicationId: visa('Dora').id,
      code: 'duplicate',
    }),
  ];
  for (const one of done) expect(one.ok, JSON.stringify(one)).toBe(true);
});

describe('the number of an order of four', () => {
  test('shows each one’s state, what to do and the document', async () => {
    const html = await everything(`/en/status?ref=${family.order.number}`);
    expect(textOf(html)).toContain('Order for 4 travellers');
    expect(textOf(html)).toContain(`$${family.totalAmount}`);
    const cards = cardsOf(html);
    expect(cards).toHaveLength(4);
    const [anna = '', bela = '', carl = '', dora = ''] = cards;
    expect(anna).toMatch(
      /Anna Nkosi.*E-visa.*Pending.*checking the answers\. If the authorities approve it, we’ll deliver it by .* UTC/,
    );
    expect(bela).toMatch(/Bela Nkosi.*Approved.*The e-visa is ready\..*Download e-visa/);
    expect(bela).toMatch(/Travel insurance.*Download certificate/);
    expect(carl).toMatch(
      /Carl Nkosi.*need to be corrected by .* We’ve emailed the link to do this/,
    );
    expect(carl).toMatch(/Travel insurance.*One of our team is checking the application/);
    expect(dora).toMatch(/Dora Nkosi.*Rejected on 23 November 2026/);
    for (const { number } of held) expect(textOf(html)).toContain(number);
    const second = family.visas[1]?.number;
    expect(html).toContain(`/en/status?ref=${second}&amp;download=yes#dateOfBirth`);
    expect(html).toContain(`/en/status?ref=${family.visas[0]?.number}&amp;download=`);
  });

  test('asks whose document is wanted', async () => {
    const html = await everything(`/en/status?ref=${family.order.number}&download=yes`);
    expect(textOf(html)).toContain('Select the traveller whose document you want to download');
    expect(html).not.toContain('name="dateOfBirth-day"');
  });

  test('is paid as one while it is unpaid, and each one’s answers are changed on their own', async () => {
    const html = await everything(`/en/status?ref=${unpaid.order.number}`, {
      cookie: unpaid.cookie,
    });
    expect(textOf(html)).toContain(`Pay $${unpaid.totalAmount}`);
    expect(html.split('/pay"')).toHaveLength(2);
    for (const { number } of unpaid.visas) {
      expect(html).toContain(`/en/application/change?ref=${number}`);
    }
  });

  test('is answered by a call of its own, by traveller', async () => {
    const response = await get(`/api/orders/${family.order.number}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({
      orderNumber: family.order.number,
      totalAmount: family.totalAmount,
      paymentStatus: 'completed',
      travellers: [
        { position: 1, applications: [{ kind: 'visa', firstName: 'Anna', status: 'pending' }] },
        {
          position: 2,
          applications: [
            { kind: 'visa', status: 'approved', downloadAvailable: true },
            { kind: 'insurance', status: 'approved' },
          ],
        },
        { position: 3, applications: [{ correctionFields: ['passportNumber'] }, {}] },
        { position: 4, applications: [{ status: 'rejected', rejectionCode: 'duplicate' }] },
      ],
    });
    const own = await get(`/api/orders/${family.visas[1]?.number}`);
    expect(own.status).toBe(404);
  });

  test.each(['applications', 'insurance/applications'])(
    'is nobody’s in GET /api/%s, which says where everyone is answered',
    async (call) => {
      const response = await get(`/api/${call}/${family.order.number}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      const problem = await response.text();
      expect(JSON.parse(problem)).toMatchObject({
        code: 'order_of_several',
        detail: expect.stringContaining('Use the order number'),
      });
      for (const { number, firstName } of held) {
        expect(problem).not.toContain(number);
        expect(problem).not.toContain(firstName);
      }
    },
  );
});

describe('a traveller’s own number', () => {
  const names = ['Anna', 'Bela', 'Carl', 'Dora'];
  const own = (name: string) => held.filter((one) => one.firstName === name);

  test.each(names)('of %s shows nothing of the others, in the page or beside it', async (name) => {
    const others = held.filter((one) => one.firstName !== name);
    for (const { number, kind } of own(name)) {
      const call = kind === 'visa' ? 'applications' : 'insurance/applications';
      const shown = [
        await everything(`/en/status?ref=${number}`),
        await (await get(`/api/${call}/${number}`)).text(),
        await everything(`/en/payment-success?order=${number}`),
      ].join('');
      const readable = shown.replaceAll(/<[^>]*>/g, '');
      expect(shown).not.toContain(family.order.number);
      expect(readable).not.toContain(family.totalAmount);
      for (const other of others) {
        expect(readable).not.toContain(other.number);
        expect(readable).not.toContain(`${other.firstName} `);
      }
    }
  });

  test('shows a correction to the one who is asked alone', async () => {
    for (const name of names) {
      const html = await everything(`/en/status?ref=${own(name)[0]?.number}`);
      expect(
        html.includes('data-testid="action-required"') || html.includes('Passport number'),
      ).toBe(name === 'Carl');
    }
  });

  test('of an unpaid order does not tell what it costs, and leaves paying to its payer', async () => {
    const path = `/en/status?ref=${unpaid.visas[1]?.number}`;
    const html = await everything(path);
    expect(html).not.toContain(unpaid.totalAmount);
    expect(html).not.toContain(unpaid.order.number);
    expect(html).not.toContain('/pay"');
    expect(textOf(html)).toContain('once the person who placed the order has paid');
    const payers = await everything(path, { cookie: unpaid.cookie });
    expect(textOf(payers)).toContain(`Pay $${unpaid.totalAmount}`);
    expect(payers).toContain(`/en/status?ref=${unpaid.order.number}`);
  });
});

describe('the confirmation of an order of four', () => {
  test('lists every number under its name for the payer, and what each one costs', async () => {
    const html = await everything(`/en/payment-success?order=${family.order.number}`, {
      cookie: family.cookie,
    });
    const text = textOf(html);
    for (const { number } of held) expect(text).toContain(number);
    for (const name of ['Anna', 'Bela', 'Carl', 'Dora']) expect(text).toContain(`${name} Nkosi`);
    expect(text).toContain('Track all applications');
    expect(text).toMatch(/Bela Nkosi\$\d+\.00/);
  });

  test('names nobody to who only has the number', async () => {
    const text = textOf(await everything(`/en/payment-success?order=${family.order.number}`));
    for (const { number } of held) expect(text).toContain(number);
    expect(text).not.toMatch(/Anna|Bela|Carl|Dora/);
    expect(text).toContain('Traveller 4');
  });
});

test('an order of one traveller with insurance is shown as the e-visa that names the insurance', async () => {
  const one = await makeOrder(platform, {
    travellers: [{ firstName: 'Ida', dateOfBirth: '1990-01-01', plan: '14-days' }],
  });
  const html = await everything(`/en/status?ref=${one.order.number}`);
  expect(html).toContain('data-testid="beside-insurance"');
  expect(html).not.toContain('data-testid="traveller-1"');
  expect(textOf(html)).toContain(`Pay $${one.totalAmount}`);
  const answer = await (await get(`/api/orders/${one.order.number}`)).json();
  expect(answer).toMatchObject({ travellers: [{ position: 1, applications: [{}, {}] }] });
  const visa = await (await get(`/api/applications/${one.order.number}`)).json();
  expect(visa).toMatchObject({ applicationNumber: one.visas[0]?.number });
  const insurance = await (await get(`/api/insurance/applications/${one.order.number}`)).json();
  expect(insurance).toMatchObject({ applicationNumber: one.insurances.get(1)?.number });
});

test('the order of several travellers has no calendar entry, whose moments may differ; each traveller has one', async () => {
  const orderNumber = family.order.number;
  const anna = family.visas[0]?.number;
  const ofAll = await get(`/status/calendar?ref=${orderNumber}`);
  expect(ofAll.headers.get('location')).toBe(`/status?ref=${orderNumber}`);
  const ofOne = await get(`/status/calendar?ref=${anna}`);
  expect(ofOne.headers.get('content-disposition')).toContain(`${anna}.ics`);
});
