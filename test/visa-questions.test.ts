import { beforeAll, expect, test } from 'vitest';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { visitor } from '../src/features/insurance/testing/visit.ts';
import { type Field, fields } from '../src/features/visa/rules/questions.ts';
import { steps } from '../src/features/visa/rules/steps.ts';
import { completeAnswers, countries, NOW } from '../src/features/visa/testing/sample-answers.ts';
import { indian, southAfrican } from '../src/features/visa/testing/sample-browser.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

/** Where an answer must appear once it was given; null where it does not, with a comment saying why. */
type Seen = {
  /** In the review before payment. */
  review: string | null;
  /** On the application's page at the desk. */
  desk: string | null;
  /** The field of staff calls, and its value. */
  call: [string, string] | null;
  /** The name on the privacy page. */
  privacy: string | null;
};

/** A tick confirms something and is no answer about the traveller. */
const tick: Seen = { review: null, desk: null, call: null, privacy: null };

/** A question without an entry does not compile. */
const seen: Record<Field, Seen> = {
  countryId: { review: 'India', desk: 'India', call: ['countryId', 'IND'], privacy: 'nationality' },
  documentType: {
    review: 'Ordinary Passport',
    desk: 'ordinary passport',
    call: ['documentType', 'ordinary'],
    privacy: 'travel document',
  },
  // Implied by the kind of the document below.
  hasSupportingDocument: { ...tick, privacy: 'supporting document' },
  supportingDocumentType: {
    review: 'Visa: ',
    desk: 'Visa',
    call: ['supportingDocumentType', 'visa'],
    privacy: 'supporting document',
  },
  visaCountry: {
    review: 'Schengen',
    desk: 'Schengen',
    call: ['supportingDocumentCountry', 'SCHENGEN'],
    privacy: 'supporting document',
  },
  // One of the two is asked; shown where the country of the visa is.
  residenceCountry: { ...tick, privacy: 'supporting document' },
  supportingDocumentNumber: {
    review: 'DEU1234567',
    desk: 'DE••••••67',
    call: ['supportingDocumentNumber', 'DE••••••67'],
    privacy: 'supporting document',
  },
  supportingDocumentStartDate: {
    review: '1 June 2026',
    desk: '1 June 2026',
    call: ['supportingDocumentStartDate', '2026-06-01'],
    privacy: 'supporting document',
  },
  supportingDocumentEndDate: {
    review: '31 May 2028',
    desk: '31 May 2028',
    call: ['supportingDocumentEndDate', '2028-05-31'],
    privacy: 'supporting document',
  },
  purpose: {
    review: 'Tourism',
    desk: 'Tourism',
    call: ['purpose', 'tourism'],
    privacy: 'purpose of the visit',
  },
  arrivalDate: {
    review: '15 January 2027',
    desk: '15 January 2027',
    call: ['arrivalDate', '2027-01-15'],
    privacy: 'arrival date',
  },
  processingType: {
    review: 'Standard',
    desk: 'Standard',
    call: ['processingType', 'standard'],
    privacy: null,
  },
  ordinaryPassport: tick,
  validPassport: tick,
  enterWithin3Months: tick,
  stayWithin30Days: tick,
  nameConfirmed: tick,
  lastName: { review: 'NKOSI', desk: 'NKOSI', call: ['lastName', 'Nkosi'], privacy: 'names' },
  firstName: { review: 'THANDI', desk: 'THANDI', call: ['firstName', 'Thandi'], privacy: 'names' },
  passportNumber: {
    review: 'A01234567',
    desk: 'A0•••••67',
    call: ['passportNumber', 'A0•••••67'],
    privacy: 'passport details',
  },
  dateOfBirth: {
    review: '17 May 1990',
    desk: '17 May 1990',
    call: ['dateOfBirth', '1990-05-17'],
    privacy: 'date and place of birth',
  },
  placeOfBirth: {
    review: 'Durban',
    desk: 'Durban',
    call: ['placeOfBirth', 'Durban'],
    privacy: 'date and place of birth',
  },
  passportIssueDate: {
    review: '1 March 2022',
    desk: '1 Mar 2022',
    call: ['passportIssueDate', '2022-03-01'],
    privacy: 'passport details',
  },
  passportExpiryDate: {
    review: '28 February 2032',
    desk: '28 Feb 2032',
    call: ['passportExpiryDate', '2032-02-28'],
    privacy: 'passport details',
  },
  motherName: {
    review: 'Zanele Nkosi',
    desk: 'Zanele Nkosi',
    call: ['motherName', 'Zanele Nkosi'],
    privacy: 'parents’ names',
  },
  fatherName: {
    review: 'Sipho Nkosi',
    desk: 'Sipho Nkosi',
    call: ['fatherName', 'Sipho Nkosi'],
    privacy: 'parents’ names',
  },
  email: {
    review: 'thandi.nkosi@mail.example',
    desk: 'thandi.nkosi@mail.example',
    call: ['email', 'thandi.nkosi@mail.example'],
    privacy: 'email',
  },
  phone: {
    review: '+27 31 555 0142',
    desk: '+27 31 555 0142',
    call: ['phone', '+27315550142'],
    privacy: 'phone',
  },
  address: {
    review: '12 Marine Parade, 4001 Durban',
    desk: '12 Marine Parade, 4001 Durban',
    call: ['address', '12 Marine Parade, 4001 Durban'],
    privacy: 'address',
  },
};

const platform = await makeTestPlatform({ now: NOW });
const app = makeTestApp(platform);
const visit = visitor(app)();
const { cookie } = await storeStaff(platform, { role: 'administrator' });

/** Both paths of the wizard; a question is looked for where it was asked. */
const ways = [
  {
    name: 'without a supporting document',
    path: 'without_document',
    sent: southAfrican,
    answers: completeAnswers(countries.southAfrica),
    totalAmount: '94.00',
    only: (field: Field) => field === 'purpose',
  },
  {
    name: 'with a supporting document',
    path: 'with_document',
    sent: indian,
    answers: completeAnswers(countries.india),
    totalAmount: '184.00',
    only: (field: Field) => field !== 'purpose',
  },
] as const;

beforeAll(() => seedAll(platform.db, seeders, platform.now()));

/** The visible text of a page. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('\u2011', '-')
    .replaceAll(/[\s\u00a0\u2066-\u2069\u200e]+/g, ' ');

/** What is missing, by question. */
const missing = (
  wanted: readonly Field[],
  text: string,
  of: (field: Field) => string | null,
): string[] =>
  wanted.flatMap((field) => {
    const marker = of(field);
    return marker === null || text.includes(marker) ? [] : [`${field}: ${marker}`];
  });

test.each(ways)(
  '$name, every question is asked in its step and stands in the review',
  async (way) => {
    // A name that the passport spells differently has to be confirmed.
    const sent = { intent: 'next', ...way.sent, firstName: 'Thándi', nameConfirmed: 'yes' };
    for (const { id, url, fields: asked } of steps.filter((step) =>
      step.paths.includes(way.path),
    )) {
      if (id !== 'review') {
        const body = new URLSearchParams(sent);
        const { response } = await visit(url, { method: 'POST', body });
        expect(response.status, id).toBe(303);
      }
      const { html } = await visit(url);
      // A date has three controls.
      const isControl = (field: Field) =>
        html.includes(`name="${field}"`) || html.includes(`name="${field}-day"`);
      expect(
        asked.filter((field) => !isControl(field)),
        id,
      ).toEqual([]);
    }
    const review = textOf((await visit('/application/review')).html);
    expect(missing(fields.filter(way.only), review, (field) => seen[field].review)).toEqual([]);
  },
);

test.each(ways)('$name, every answer reaches the desk and the staff calls', async (way) => {
  const { totalAmount } = way;
  const response = await app.request('/api/applications', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...way.answers, totalAmount }),
  });
  expect(response.status).toBe(201);
  const { applicationNumber }: { applicationNumber: string } = await response.json();
  await platform.pool.query(`update application set paid_at = now() where number = $1`, [
    applicationNumber,
  ]);
  const ask = (path: string) => app.request(path, { headers: { cookie } });
  const page = await (await ask(`/admin/applications/${applicationNumber}`)).text();
  const wanted = fields.filter(way.only);
  expect(missing(wanted, textOf(page), (field) => seen[field].desk)).toEqual([]);

  const list: Record<string, unknown>[] = await (await ask('/api/admin/applications')).json();
  const answered = list.find((one) => one.applicationNumber === applicationNumber);
  const expected = wanted.flatMap((field) => {
    const { call } = seen[field];
    return call ? [call] : [];
  });
  expect(answered).toMatchObject(Object.fromEntries(expected));
});

test('every question is named by the privacy page', async () => {
  const text = textOf((await visit('/privacy')).html);
  expect(missing(fields, text, (field) => seen[field].privacy)).toEqual([]);
});
