import { afterEach, describe, expect, it } from 'vitest';
import { ensureSession, payerSessionHash } from '~/features/order/payer/session.server.ts';
import {
  orderByApplication,
  orderByNumber,
  unpaidOrderBySession,
  linesByOrder,
} from '~/features/order/store.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { applicationEvents, applicationByNumber } from '~/features/application/store.server.ts';
import { insertCountries } from '~/features/catalog/store.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { visaApi } from './api.server.ts';
import { completeAnswers, countries, exemptAnswers, NOW } from '../testing/sample-answers.ts';
import { readVisaDetails } from '../store/store.server.ts';

const platform = await makeTestPlatform({ now: NOW });
const app = visaApi(platform);

const stored = (terms: (typeof countries)[keyof typeof countries], name: string): Country => ({
  id: terms.code,
  iso2: null,
  name,
  validityDays: null,
  note: '',
  source: '',
  ...terms,
});
await platform.db.transaction((tx) =>
  insertCountries(
    tx,
    [
      stored(countries.southAfrica, 'South Africa'),
      stored(countries.india, 'India'),
      stored(countries.egypt, 'Egypt'),
      stored(countries.germany, 'Germany'),
      stored(countries.cuba, 'Cuba'),
    ],
    NOW,
  ),
);
afterEach(() => platform.clock.set(NOW));

const documentAnswers = completeAnswers(countries.india);

/** A client of the specification: its fields and nothing else. */
function southAfrican(changes: object = {}): object {
  const { purpose: _, ...answers } = completeAnswers(countries.southAfrica);
  return {
    ...answers,
    supportingDocumentNumber: null,
    supportingDocumentStartDate: null,
    supportingDocumentEndDate: null,
    countryOfOrigin: 'South Africa',
    totalAmount: '94.00',
    ...changes,
  };
}

function indian(changes: object = {}): object {
  const answers = completeAnswers(countries.india);
  return { ...answers, totalAmount: '184.00', countryOfOrigin: 'India', ...changes };
}

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await app.request('/api/applications', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { response, status: response.status, body: answer as Record<string, string> };
}

async function applications(): Promise<number> {
  const { rows } = await platform.pool.query<{ count: number }>(
    'select count(*)::int from application',
  );
  return rows[0]?.count ?? 0;
}

describe('an Egyptian without a supporting document', () => {
  const egyptian = (changes: object = {}) => {
    const { purpose: _, hasSupportingDocument: __, ...answers } = exemptAnswers;
    return { ...answers, countryOfOrigin: 'Egypt', totalAmount: '94.00', ...changes };
  };

  it('is stored, as one without a document, where the date of birth exempts', async () => {
    const { status, body } = await post(egyptian());
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.totalAmount).toBe('94.00');
    const details = await readVisaDetails(platform.db, platform.sealer, body.id ?? '');
    expect(details).toMatchObject({ supportingDocumentType: null, purpose: 'tourism' });
  });

  it('is asked for the document where it does not', async () => {
    const { status, body } = await post(egyptian({ dateOfBirth: '1990-05-17' }));
    expect(status).toBe(422);
    expect(body.errors).toMatchObject({ supportingDocumentType: 'required' });
  });

  it('pays as with a document where one is given', async () => {
    const { supportingDocumentType, visaCountry, supportingDocumentNumber } = documentAnswers;
    const given = { supportingDocumentType, visaCountry, supportingDocumentNumber };
    const dates = {
      supportingDocumentStartDate: '2026-06-01',
      supportingDocumentEndDate: '2028-05-31',
    };
    const { status, body } = await post(egyptian({ ...given, ...dates }));
    expect([status, body.totalAmount]).toEqual([409, '184.00']);
  });
});

describe('POST /api/applications', () => {
  it('stores an application with its order and answers both', async () => {
    const { status, body, response } = await post(southAfrican());
    expect(status).toBe(201);
    expect(body).toEqual({
      applicationNumber: expect.stringMatching(/^TRV[0-9A-Z]{13}$/),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      totalAmount: '94.00',
      orderReference: body.applicationNumber,
    });

    const number = body.applicationNumber ?? '';
    const row = await applicationByNumber(platform.db, number);
    expect(row).toMatchObject({
      id: body.id,
      kind: 'visa',
      status: 'pending',
      firstName: 'Thandi',
      startsOn: '2027-01-15',
      service: 'standard',
      countryCode: 'ZAF',
      travelDocument: 'ordinary',
      language: 'en',
      amountMinor: 9400,
      paidAt: null,
    });
    expect((await applicationEvents(platform.db, row?.id ?? '')).map(({ kind }) => kind)).toEqual([
      'submitted',
    ]);
    expect(await readVisaDetails(platform.db, platform.sealer, row?.id ?? '')).toMatchObject({
      passportNumber: 'A01234567',
      purpose: 'tourism',
      supportingDocumentType: null,
      stayDays: 30,
      entries: 'multiple',
    });

    const order = await orderByNumber(platform.db, number);
    expect(order).toMatchObject({
      amountMinor: 9400,
      customerName: 'Thandi Nkosi',
      language: 'en',
    });
    expect(
      (await linesByOrder(platform.db, order?.id ?? '')).map(({ code, detail, amountMinor }) => [
        code,
        detail,
        amountMinor,
      ]),
    ).toEqual([
      ['evisa_fee', null, 6900],
      ['processing_fee', 'standard', 2500],
    ]);

    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    const session = payerSessionHash(
      platform,
      new Request('http://localhost/', { headers: { cookie } }),
    );
    const found = session && (await unpaidOrderBySession(platform.db, session));
    expect(found?.number).toBe(number);
  });

  it('seals passport and document numbers', async () => {
    await post(indian({ passportNumber: 'SECRET42', supportingDocumentNumber: 'HIDDEN99' }));
    const { rows } = await platform.pool.query('select * from visa_application');
    const all = JSON.stringify(rows.map((row) => Object.values(row).map(String)));
    expect(all).not.toMatch(/SECRET42|HIDDEN99/);
  });

  it('takes a supporting document where the nationality asks for one', async () => {
    const { status, body } = await post(indian());
    expect(status).toBe(201);
    expect(await readVisaDetails(platform.db, platform.sealer, body.id ?? '')).toMatchObject({
      purpose: null,
      supportingDocumentType: 'visa',
      supportingDocumentCountry: 'SCHENGEN',
      supportingDocumentNumber: 'DEU1234567',
      supportingDocumentStartDate: '2026-06-01',
      supportingDocumentEndDate: '2028-05-31',
    });
  });

  it('asks for the supporting document where it is missing', async () => {
    const { status, body } = await post(
      indian({ supportingDocumentType: undefined, supportingDocumentNumber: null }),
    );
    expect(status).toBe(422);
    expect(body.errors).toEqual({ supportingDocumentType: 'required' });
  });

  it('names every wrong field with a code and, in the language asked for, a message', async () => {
    const before = await applications();
    const { status, body, response } = await post(
      southAfrican({ email: 'nobody', firstName: '', arrivalDate: 'soon', totalAmount: 'much' }),
      { 'accept-language': 'en-GB,en;q=0.9' },
    );
    expect(status).toBe(422);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({
      code: 'invalid',
      errors: {
        firstName: 'required',
        email: 'invalid',
        arrivalDate: 'date_invalid',
        totalAmount: 'not_an_amount',
      },
      messages: {
        arrivalDate: 'Write the date as year-month-day, like 2027-03-05.',
        totalAmount: 'Write the amount with two decimal places, like 94.00.',
        firstName: 'First name is required. Please enter your first name.',
        email: 'Invalid email address. Please enter a valid email address.',
      },
    });
    expect(await applications()).toBe(before);
  });

  it('takes an address that only looks mistyped', async () => {
    const { status } = await post(southAfrican({ email: 'thandi@gmial.com' }));
    expect(status).toBe(201);
  });

  it('refuses a nationality and a travel document that get no e-visa', async () => {
    expect((await post(southAfrican({ countryId: 'DEU' }))).body.errors).toEqual({
      countryId: 'visa_free',
    });
    expect((await post(southAfrican({ countryId: 'CUB' }))).body.errors).toEqual({
      countryId: 'no_evisa',
    });
    expect((await post(southAfrican({ countryId: 'ATL' }))).body.errors).toEqual({
      countryId: 'unknown',
    });
    expect((await post(southAfrican({ documentType: 'service' }))).body.errors).toEqual({
      documentType: 'no_evisa',
    });
  });

  it('answers a wrong total with the right one and stores nothing', async () => {
    const before = await applications();
    const { status, body } = await post(southAfrican({ totalAmount: '69.00' }));
    expect([status, body.code, body.totalAmount]).toEqual([409, 'wrong_total', '94.00']);
    expect(await applications()).toBe(before);
    expect((await post(southAfrican({ totalAmount: 94 }))).status).toBe(201);
  });

  it('ignores keys it does not know, and confirmations that are not its own', async () => {
    const { status } = await post(
      southAfrican({ favouriteColour: 'blue', nameConfirmed: '', purpose: 'trade' }),
    );
    expect(status).toBe(201);
  });

  it('answers 400 to a body that is no JSON object', async () => {
    for (const body of ['{', '[]', '"x"', 'null']) expect((await post(body)).status).toBe(400);
  });

  it('bears a text of a megabyte', async () => {
    const { body } = await post(southAfrican({ email: `a@${'.'.repeat(1_000_000)} x` }));
    expect(body.errors).toEqual({ email: 'too_long' });
  });
});

describe('Idempotency-Key', () => {
  const key = () => ({ 'idempotency-key': crypto.randomUUID() });

  it('makes one application of ten requests at once, and says which were replayed', async () => {
    const before = await applications();
    const headers = key();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(southAfrican(), headers)),
    );
    expect(new Set(answers.map(({ body }) => body.applicationNumber)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const replayed = answers.map(({ response }) => response.headers.get('idempotent-replayed'));
    expect(replayed.toSorted()).toEqual([...Array(9).fill('true'), null].toSorted());
    expect(await applications()).toBe(before + 1);
    expect((await post(southAfrican())).response.headers.has('idempotent-replayed')).toBe(false);
  });

  it('makes a caller whose answer was lost the payer again, with and without its cookie', async () => {
    const before = await applications();
    const headers = key();
    const ask = (cookie = '') =>
      app.request('/api/applications', {
        method: 'POST',
        headers: { ...headers, cookie, 'content-type': 'application/json' },
        body: JSON.stringify(southAfrican()),
      });
    const first = await ask();
    const { applicationNumber } = (await first.json()) as { applicationNumber: string };
    const order = await orderByApplication(platform.db, applicationNumber);
    const cookieOf = (response: Response) =>
      (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const payerOf = (cookie: string) =>
      payerSessionHash(platform, new Request('http://127.0.0.1/', { headers: { cookie } }));
    expect(payerOf(cookieOf(first))).toEqual(order?.sessionHash);
    const again = await ask();
    expect(await again.json()).toMatchObject({ applicationNumber });
    expect(payerOf(cookieOf(again))).toEqual(order?.sessionHash);
    const withCookie = await ask(cookieOf(first));
    expect(await withCookie.json()).toMatchObject({ applicationNumber });
    expect(await applications()).toBe(before + 1);
  });

  it('belongs to one caller: another one neither uses it up nor is answered by it', async () => {
    const session = () =>
      ensureSession(platform, new Request('http://127.0.0.1/')).setCookie.split(';')[0] ?? '';
    const headers = { 'idempotency-key': 'order-1' };
    const [one, other] = [session(), session()];
    const first = await post(southAfrican(), { ...headers, cookie: one });
    const second = await post(southAfrican({ firstName: 'Lindiwe' }), {
      ...headers,
      cookie: other,
    });
    const third = await post(southAfrican(), { ...headers, cookie: other });
    expect([first.status, second.status, third.body.code]).toEqual([201, 201, 'key_reused']);
    expect(second.body.applicationNumber).not.toBe(first.body.applicationNumber);
    const repeated = await post(southAfrican(), { ...headers, cookie: one });
    expect(repeated.body.applicationNumber).toBe(first.body.applicationNumber);
  });

  it('refuses a key that was used for other answers', async () => {
    const headers = key();
    await post(southAfrican(), headers);
    const { status, body } = await post(southAfrican({ firstName: 'Lindiwe' }), headers);
    expect([status, body.code]).toEqual([422, 'key_reused']);
  });

  it('is free again after a refusal', async () => {
    const headers = key();
    expect((await post(southAfrican({ email: '' }), headers)).status).toBe(422);
    expect((await post(southAfrican(), headers)).status).toBe(201);
  });
});
