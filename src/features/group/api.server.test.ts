import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { travellerInsurance } from '~/features/application/travellers.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { photosByOwner } from '~/features/insurance/store/photo-store.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { completeAnswers as completeInsurance } from '~/features/insurance/testing/sample-answers.ts';
import { dataUrl, jpeg } from '~/features/insurance/testing/api-calls.ts';
import { linesByOrder, orderByNumber } from '~/features/order/store.server.ts';
import type { VisaAnswers } from '~/features/visa/rules/answers.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import {
  completeAnswers,
  countries,
  exemptAnswers,
  NOW,
} from '~/features/visa/testing/sample-answers.ts';
import { storedFiles } from '~/platform/testing/stored-files.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { groupApi } from './api.server.ts';

const platform = await makeTestPlatform({ now: NOW });
const app = groupApi(platform);
const { db, sealer, pool } = platform;

beforeAll(() => seedAll(db, [seedCatalog, seedInsurance], NOW));

type Body = Record<string, unknown>;

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await app.request('/api/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer: Body = await response.json();
  return { status: response.status, answer, response };
}

const count = async (table: string): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(`select count(*)::int n from ${table}`);
  return rows[0]?.n ?? 0;
};
const everything = async () =>
  Promise.all(
    ['application', 'purchase_order', 'order_line', 'email', 'insurance_photo'].map(count),
  );

const traveller = (name: string, terms = countries.southAfrica, changes: VisaAnswers = {}) => ({
  ...completeAnswers(terms),
  firstName: name,
  passportNumber: `P${name.toUpperCase()}7`,
  ...changes,
});
const southAfrican = (name: string, changes: VisaAnswers = {}) =>
  traveller(name, countries.southAfrica, changes);
const indian = (name: string, changes: VisaAnswers = {}) =>
  traveller(name, countries.india, changes);
const child = { dateOfBirth: '2015-02-03' };
/** Somebody who needs no e-visa, from 12 to 21 December. */
const insured = (name: string, changes: Record<string, string> = {}) => ({
  ...completeInsurance,
  nationality: 'Germany',
  firstName: name,
  passportNumber: `P${name.toUpperCase()}7`,
  ...changes,
});

/** Asks for the price by sending a wrong one, as a client without a price list would. */
async function priceOf(body: Body): Promise<string> {
  const { status, answer } = await post({ ...body, totalAmount: '0.01' });
  expect(status).toBe(409);
  return String(answer.totalAmount);
}

describe('POST /api/orders', () => {
  test('takes an Egyptian without a document by the date of birth', async () => {
    const { hasSupportingDocument: _, purpose: __, ...egyptian } = exemptAnswers;
    const old = { ...egyptian, passportNumber: 'E1234567' };
    const applications = [southAfrican('Mia'), old];
    const totalAmount = await priceOf({ applications });
    expect(totalAmount).toBe('188.00');
    expect((await post({ applications, totalAmount })).status).toBe(201);
    const young = { ...old, dateOfBirth: '1990-05-17' };
    const { status, answer } = await post({
      applications: [southAfrican('Mia'), young],
      totalAmount,
    });
    expect(status).toBe(422);
    expect(answer.errors).toMatchObject({ 'applications[1].supportingDocumentType': 'required' });
  });

  test('stores five travellers, two insurances and one order for all', async () => {
    const body = {
      applications: [
        southAfrican('Anna'),
        indian('Bela'),
        southAfrican('Carl', child),
        traveller('Dora', countries.southAfrica, { countryId: 'JAM' }),
        indian('Emil', { countryId: 'PAK' }),
      ],
      insurances: [
        { application: 2, productId: '14-days' },
        { application: 1, productId: '30-days' },
      ],
      parentIdPhotos: [{ name: 'mother.jpg', data: dataUrl(await jpeg()) }],
    };
    const totalAmount = await priceOf(body);
    const { status, answer } = await post({ ...body, totalAmount });
    expect(status, JSON.stringify(answer)).toBe(201);
    expect(answer).toMatchObject({
      orderNumber: expect.stringMatching(/^TRG/),
      orderReference: answer.orderNumber,
      totalAmount,
    });

    const order = await orderByNumber(db, String(answer.orderNumber));
    expect(order).toMatchObject({
      customerName: 'Anna Nkosi',
      customerEmail: body.applications[0]?.email,
    });
    const stored = await applicationsByOrder(db, String(answer.orderNumber));
    expect(stored.map(({ kind, firstName }) => `${kind} ${firstName}`)).toEqual([
      'visa Anna',
      'visa Bela',
      'insurance Bela',
      'visa Carl',
      'insurance Carl',
      'visa Dora',
      'visa Emil',
    ]);
    const visas = stored.filter(({ kind }) => kind === 'visa');
    expect(answer.applicationNumbers).toEqual(visas.map(({ number }) => number));
    expect(visas.map(({ countryCode }) => countryCode)).toEqual([
      'ZAF',
      'IND',
      'ZAF',
      'JAM',
      'PAK',
    ]);
    for (const { id, firstName } of visas) {
      const details = await readVisaDetails(db, sealer, id);
      expect(details?.passportNumber).toBe(`P${firstName.toUpperCase()}7`);
    }
    const lines = await linesByOrder(db, order?.id ?? '');
    const ofLines = [...new Set(lines.map(({ applicationNumber }) => applicationNumber))];
    expect(ofLines).toEqual(stored.map(({ number }) => number));
    expect(lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(order?.amountMinor);

    const [, bela, carl] = visas;
    const ofBela = bela && travellerInsurance(stored, bela);
    const ofCarl = carl && travellerInsurance(stored, carl);
    expect(answer.insuranceNumbers).toEqual([ofBela?.number, ofCarl?.number]);
    const expected = { passportNumber: 'PCARL7', isMinor: true };
    expect(await readInsuranceDetails(db, sealer, ofCarl?.id ?? '')).toMatchObject(expected);
    const names = async (id = '') =>
      (await photosByOwner(db, sealer, { applicationId: id })).map(({ name }) => name);
    expect(await names(ofCarl?.id)).toEqual(['mother.jpg']);
    expect(await names(ofBela?.id)).toEqual([]);
    const written = await db
      .select({ kind: email.kind })
      .from(email)
      .where(eq(email.subject, String(answer.orderNumber)))
      .orderBy(asc(email.kind));
    // That it is unpaid is written minutes later.
    expect(written).toEqual([]);
  });

  test('keeps the photos of a parent once for each insured child', async () => {
    const before = storedFiles(platform.config.dataDir).length;
    const body = {
      applications: [southAfrican('Fay'), southAfrican('Gus', child), southAfrican('Hal', child)],
      insurances: [0, 1, 2].map((application) => ({ application, productId: '14-days' })),
      parentIdPhotos: [{ name: 'father.jpg', data: dataUrl(await jpeg('#246')) }],
    };
    const totalAmount = await priceOf(body);
    expect((await post({ ...body, totalAmount })).status).toBe(201);
    expect(storedFiles(platform.config.dataDir).length).toBe(before + 2);
  });

  test('is an order of its own number for one application alone', async () => {
    const body = { applications: [southAfrican('Ida')] };
    const { status, answer } = await post({ ...body, totalAmount: '94.00' });
    expect(status).toBe(201);
    expect(answer).toMatchObject({
      orderNumber: expect.stringMatching(/^TRV/),
      applicationNumbers: [answer.orderNumber],
      insuranceNumbers: [],
    });
  });

  test('names the traveller of a wrong answer and stores nothing', async () => {
    const before = await everything();
    const { status, answer } = await post({
      applications: [
        southAfrican('Jan'),
        southAfrican('Kim', { passportExpiryDate: '2027-02-01', email: 'nobody' }),
      ],
      totalAmount: '188.00',
    });
    expect(status).toBe(422);
    expect(Object.keys(Object(answer.errors)).toSorted()).toEqual([
      'applications[1].email',
      'applications[1].passportExpiryDate',
    ]);
    expect(answer.messages).toMatchObject({
      'applications[1].email': expect.stringMatching(/email/i),
    });
    expect(await everything()).toEqual(before);
  });

  test.each([
    ['no travellers', { applications: [] }, { applications: 'required' }],
    ['no list', { applications: 'all' }, { applications: 'required' }],
    [
      'more than ten',
      { applications: Array.from({ length: 11 }, (_, index) => southAfrican(`N${index}`)) },
      { applications: 'too_many' },
    ],
    [
      'another arrival',
      { applications: [southAfrican('Lea'), southAfrican('Max', { arrivalDate: '2027-01-16' })] },
      { 'applications[1].arrivalDate': 'differs' },
    ],
    [
      'one passport twice',
      { applications: [southAfrican('Nia'), southAfrican('Nia')] },
      { 'applications[1].passportNumber': 'repeated' },
    ],
    [
      'an insurance for nobody, twice the same, and of no plan',
      {
        applications: [southAfrican('Oda'), southAfrican('Pia')],
        insurances: [
          { application: 2, productId: '14-days' },
          { application: 0, productId: '14-days' },
          { application: 0, productId: '30-days' },
          { application: 1, productId: 'none' },
        ],
      },
      {
        'insurances[0].application': 'unknown',
        'insurances[2].application': 'repeated',
        'insurances[3].productId': 'unknown',
      },
    ],
    [
      'a child to be insured without a photo',
      {
        applications: [southAfrican('Rex', child)],
        insurances: [{ application: 0, productId: '14-days' }],
      },
      { parentIdPhotos: 'required' },
    ],
    [
      'somebody insured without an e-visa whose answers are wrong, or are another’s',
      {
        applications: [southAfrican('Uli')],
        insurances: [
          insured('Eva', { passportNumber: 'PULI7', nationality: 'ZAF' }),
          insured('Ida', { returnDate: '2027-01-30', destination: 'Greece' }),
          { productId: '14-days', firstName: ['Uwe'] },
          insured('Max', child),
        ],
      },
      {
        'insurances[0].passportNumber': 'repeated',
        'insurances[1].productId': 'too_short',
        'insurances[1].destination': 'not_turkiye',
        'insurances[2].firstName': 'not_text',
        'insurances[2].lastName': 'required',
        'insurances[2].email': 'required',
        'insurances[2].phone': 'required',
        'insurances[2].passportNumber': 'required',
        'insurances[2].nationality': 'required',
        'insurances[2].travelDate': 'required',
        'insurances[2].returnDate': 'required',
        'insurances[2].dateOfBirth': 'required',
        parentIdPhotos: 'required',
      },
    ],
    [
      'a file that is no photo',
      {
        applications: [southAfrican('Sam', child)],
        insurances: [{ application: 0, productId: '14-days' }],
        parentIdPhotos: [{ name: 'id.jpg', data: dataUrl(Buffer.from('%PDF-1.7')) }],
      },
      { parentIdPhotos: 'not_photo' },
    ],
  ])('refuses %s', async (_, body, errors) => {
    const before = await everything();
    const { status, answer } = await post({ ...body, totalAmount: '94.00' });
    expect(status).toBe(422);
    expect(answer.errors).toEqual(errors);
    for (const message of Object.values(Object(answer.messages))) expect(message).toBeTruthy();
    expect(await everything()).toEqual(before);
  });

  test('insures somebody without an e-visa in the same order', async () => {
    const body = {
      applications: [southAfrican('Ada'), southAfrican('Ben')],
      insurances: [insured('Uwe', child), { application: 1, productId: '7-days' }],
      parentIdPhotos: [{ name: 'mother.jpg', data: dataUrl(await jpeg()) }],
    };
    const totalAmount = await priceOf(body);
    expect(totalAmount).toBe('451.00');
    const { status, answer } = await post({ ...body, totalAmount });
    expect(status, JSON.stringify(answer)).toBe(201);
    const stored = await applicationsByOrder(db, String(answer.orderNumber));
    expect(
      stored.map((one) => [one.travellerPosition, one.kind, one.firstName, one.amountMinor]),
    ).toEqual([
      [1, 'visa', 'Ada', 94_00],
      [2, 'visa', 'Ben', 94_00],
      [2, 'insurance', 'Ben', 114_00],
      [3, 'insurance', 'Uwe', 149_00],
    ]);
    const uwe = stored.find(({ firstName }) => firstName === 'Uwe');
    const photos = await photosByOwner(db, sealer, { applicationId: uwe?.id ?? '' });
    expect(photos.map(({ name }) => name)).toEqual(['mother.jpg']);
    expect(answer.insuranceNumbers).toEqual(
      stored.flatMap(({ kind, number }) => (kind === 'insurance' ? [number] : [])),
    );
  });

  test('carries the right total where another one was named, and stores nothing', async () => {
    const before = await everything();
    const { status, answer } = await post({
      applications: [southAfrican('Tea'), southAfrican('Udo')],
      totalAmount: '94.00',
    });
    expect(status).toBe(409);
    expect(answer).toMatchObject({ code: 'wrong_total', totalAmount: '188.00' });
    expect(await everything()).toEqual(before);
  });

  test('is placed once for one Idempotency-Key, also in the same moment', async () => {
    const body = {
      applications: [southAfrican('Ugo'), southAfrican('Vic')],
      totalAmount: '188.00',
    };
    const before = await count('purchase_order');
    const headers = { 'idempotency-key': 'family-1' };
    const [first, second] = await Promise.all([post(body, headers), post(body, headers)]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.answer).toEqual(first.answer);
    expect(await count('purchase_order')).toBe(before + 1);
    const other = await post({ ...body, totalAmount: '189.00' }, headers);
    expect(other.status).toBe(422);
  });

  test('costs what its travellers cost one by one, in any order, and mixes nobody’s data', async () => {
    const speeds = ['standard', 'fast', 'urgent'];
    const wanted = fc.record({
      terms: fc.constantFrom(countries.southAfrica, countries.india),
      processingType: fc.constantFrom(...speeds),
      plan: fc.constantFrom(null, '7-days', '30-days'),
    });
    const group = fc
      .array(wanted, { minLength: 1, maxLength: 10 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    let orders = 0;
    await fc.assert(
      fc.asyncProperty(group, async ([all, shuffled]) => {
        const bodyOf = (some: typeof all) => {
          const applications = some.map(({ terms, processingType }, index) =>
            traveller(
              `T${orders}X${index}`.replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? ''),
              terms,
              {
                processingType: terms === countries.india ? 'standard' : processingType,
              },
            ),
          );
          const insurances = some.flatMap(({ plan }, application) =>
            plan === null ? [] : [{ application, productId: plan }],
          );
          return { applications, insurances };
        };
        orders += 1;
        const body = bodyOf(all);
        const alone = [];
        for (const one of all) alone.push(Number(await priceOf(bodyOf([one]))));
        const sum = alone.reduce((total, price) => total + price, 0).toFixed(2);
        expect(await priceOf(bodyOf(shuffled))).toBe(sum);
        const { status, answer } = await post({ ...body, totalAmount: sum });
        expect(status, JSON.stringify(answer)).toBe(201);
        const stored = await applicationsByOrder(db, String(answer.orderNumber));
        const actual = await Promise.all(
          stored.map(async ({ id, kind, firstName, countryCode, travellerPosition }) => {
            const read = kind === 'visa' ? readVisaDetails : readInsuranceDetails;
            const details = await read(db, sealer, id);
            return [travellerPosition, firstName, countryCode, details?.passportNumber];
          }),
        );
        const meant = body.applications.flatMap(
          ({ firstName, countryId, passportNumber }, index) => {
            const person = [index + 1, firstName, countryId, passportNumber];
            return body.insurances.some(({ application }) => application === index)
              ? [person, person]
              : [person];
          },
        );
        expect(actual).toEqual(meant);
      }),
      { numRuns: 12 },
    );
  });
});
