import { beforeAll, expect, test, describe, it } from 'vitest';
import { correctionAddress } from '~/features/application/reopened.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { askCorrection } from '~/features/desk/application/ask-correction.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { copyGroups } from '~/features/status/copy-groups.server.ts';
import { type VisaField, fields, questionByField } from '~/features/visa/rules/questions.ts';
import { steps } from '~/features/visa/rules/steps.ts';
import { completeAnswers, countries, NOW } from '~/features/visa/testing/sample-answers.ts';
import { indian, southAfrican } from '~/features/visa/testing/sample-browser.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { applicationCorrections, makeOrder, seedSales } from './make.ts';
import { needed } from './needed.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

describe('visa questions', async () => {
  /** Where an answer must appear once it was given; null where it does not, with a comment saying why. */
  type Seen = {
    /** In the review before payment and in the copy. */
    review: string | null;
    /** At the desk, on the application's page and on the page of its group's order. */
    desk: string | null;
    /** The field of staff calls, and its value. */
    call: [string, string] | null;
  };

  /** A tick confirms something and is no answer about the traveller. */
  const tick: Seen = { review: null, desk: null, call: null };

  /** A question without an entry does not compile. */
  const seen: Record<VisaField, Seen> = {
    countryId: { review: 'India', desk: 'India', call: ['countryId', 'IND'] },
    documentType: {
      review: 'Ordinary Passport',
      desk: 'ordinary passport',
      call: ['documentType', 'ordinary'],
    },
    // Implied by the kind of the document below.
    hasSupportingDocument: tick,
    supportingDocumentType: {
      review: 'Visa: ',
      desk: 'Visa',
      call: ['supportingDocumentType', 'visa'],
    },
    visaCountry: {
      review: 'Schengen',
      desk: 'Schengen',
      call: ['supportingDocumentCountry', 'SCHENGEN'],
    },
    // One of the two is asked; shown where the country of the visa is.
    residenceCountry: tick,
    supportingDocumentNumber: {
      review: 'DEU1234567',
      desk: 'DE••••••67',
      call: ['supportingDocumentNumber', 'DE••••••67'],
    },
    supportingDocumentStartDate: {
      review: '1 June 2026',
      desk: '1 June 2026',
      call: ['supportingDocumentStartDate', '2026-06-01'],
    },
    supportingDocumentEndDate: {
      review: '31 May 2028',
      desk: '31 May 2028',
      call: ['supportingDocumentEndDate', '2028-05-31'],
    },
    purpose: {
      review: 'Tourism',
      desk: 'Tourism',
      call: ['purpose', 'tourism'],
    },
    arrivalDate: {
      review: '15 January 2027',
      desk: '15 January 2027',
      call: ['arrivalDate', '2027-01-15'],
    },
    processingType: {
      review: 'Standard',
      desk: 'Standard',
      call: ['processingType', 'standard'],
    },
    ordinaryPassport: tick,
    validPassport: tick,
    enterWithin3Months: tick,
    stayWithin30Days: tick,
    nameConfirmed: tick,
    lastName: { review: 'NKOSI', desk: 'NKOSI', call: ['lastName', 'Nkosi'] },
    firstName: { review: 'THANDI', desk: 'THANDI', call: ['firstName', 'Thandi'] },
    passportNumber: {
      review: 'A01234567',
      desk: 'A0•••••67',
      call: ['passportNumber', 'A0•••••67'],
    },
    dateOfBirth: {
      review: '17 May 1990',
      desk: '17 May 1990',
      call: ['dateOfBirth', '1990-05-17'],
    },
    placeOfBirth: {
      review: 'Durban',
      desk: 'Durban',
      call: ['placeOfBirth', 'Durban'],
    },
    passportIssueDate: {
      review: '1 March 2022',
      desk: '1 Mar 2022',
      call: ['passportIssueDate', '2022-03-01'],
    },
    passportExpiryDate: {
      review: '28 February 2032',
      desk: '28 Feb 2032',
      call: ['passportExpiryDate', '2032-02-28'],
    },
    motherName: {
      review: 'Zanele Nkosi',
      desk: 'Zanele Nkosi',
      call: ['motherName', 'Zanele Nkosi'],
    },
    fatherName: {
      review: 'Sipho Nkosi',
      desk: 'Sipho Nkosi',
      call: ['fatherName', 'Sipho Nkosi'],
    },
    email: {
      review: 'thandi.nkosi@mail.example',
      desk: 'thandi.nkosi@mail.example',
      call: ['email', 'thandi.nkosi@mail.example'],
    },
    phone: {
      review: '+27 31 555 0142',
      desk: '+27 31 555 0142',
      call: ['phone', '+27315550142'],
    },
    address: {
      review: '12 Marine Parade, 4001 Durban',
      desk: '12 Marine Parade, 4001 Durban',
      call: ['address', '12 Marine Parade, 4001 Durban'],
    },
  };

  const platform = await makeTestPlatform({ now: NOW });
  const app = makeTestApp(platform);
  const visit = visitor(app)();
  const staff = await storeStaff(platform, { role: 'administrator' });

  /** Both paths of the wizard; a question is looked for where it was asked. */
  const ways = [
    {
      path: 'with_document',
      sent: indian,
      answers: completeAnswers(countries.india),
      only: (field: VisaField) => field !== 'purpose',
    },
    {
      path: 'without_document',
      sent: southAfrican,
      answers: { ...completeAnswers(countries.southAfrica), passportNumber: 'B76543210' },
      only: (field: VisaField) => field === 'purpose',
    },
  ] as const;

  type Way = (typeof ways)[number];

  beforeAll(() => seedSales(platform));

  const atDesk = async (path: string): Promise<string> =>
    (await app.request(path, { headers: { cookie: staff.cookie } })).text();

  /** The visible text of a page. */
  const textOf = (html: string): string =>
    html
      .replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&')
      .replaceAll('\u2011', '-')
      .replaceAll(/[\s\u00a0\u2066-\u2069\u200e]+/g, ' ');

  /** The questions that a place lacks: some write names in capitals, and some group the digits of a phone number. */
  function missing(
    place: string,
    text: string,
    wanted: readonly VisaField[],
    of: (field: VisaField) => string | null,
  ): string[] {
    const plain = (some: string) => some.toLowerCase().replaceAll(' ', '');
    const shown = plain(text);
    return wanted.flatMap((field) => {
      const marker = of(field);
      return marker === null || shown.includes(plain(marker))
        ? []
        : [`${field} is not in the ${place}: ${marker}`];
    });
  }

  /** The questions that somebody at the desk cannot ask again. */
  const notOffered = (place: string, html: string, wanted: readonly VisaField[]): string[] =>
    wanted
      .filter((field) => questionByField(field).mayBeCorrected)
      .filter((field) => !html.includes(`name="reopen-${field}"`))
      .map((field) => `${field} cannot be asked again in the ${place}`);

  /** The questions without a control; a date has three. */
  const withoutControl = (place: string, html: string, asked: readonly VisaField[]): string[] =>
    asked
      .filter((field) => !html.includes(`name="${field}"`) && !html.includes(`name="${field}-day"`))
      .map((field) => `${field} has no control in the ${place}`);

  async function gapsOfWizard(way: Way): Promise<string[]> {
    const gaps: string[] = [];
    // A name that the passport spells differently has to be confirmed.
    const sent = { intent: 'next', ...way.sent, firstName: 'Thándi', nameConfirmed: 'yes' };
    for (const { id, url, fields: asked } of steps.filter(({ paths }) =>
      paths.includes(way.path),
    )) {
      if (id !== 'review') {
        const body = new URLSearchParams(sent);
        const { response } = await visit(url, { method: 'POST', body });
        if (response.status !== 303) gaps.push(`The step ${id} refuses the answers`);
      }
      gaps.push(...withoutControl(`step ${id}`, (await visit(url)).html, asked));
    }
    const review = textOf((await visit('/application/review')).html);
    return [...gaps, ...missing('review', review, fields.filter(way.only), (f) => seen[f].review)];
  }

  async function gapsOfCopy(way: Way, application: Application): Promise<string[]> {
    const groups = needed(await copyGroups(platform, application, 'en'));
    const text = textOf(groups.flatMap(({ rows }) => rows.map(({ value }) => value)).join(' '));
    return missing('copy', text, fields.filter(way.only), (field) => seen[field].review);
  }

  async function gapsOfDesk(way: Way, { number }: Application): Promise<string[]> {
    const html = await atDesk(`/admin/applications/${number}`);
    const wanted = fields.filter(way.only);
    return [
      ...missing('desk page', textOf(html), wanted, (field) => seen[field].desk),
      ...notOffered('desk page', html, wanted),
    ];
  }

  async function gapsOfOrder(number: string): Promise<string[]> {
    const html = await atDesk(`/admin/orders/${number}`);
    const travellers = textOf(html.slice(html.indexOf('aria-labelledby="travellers"')));
    return [
      ...missing('order of a group', travellers, fields, (field) => seen[field].desk),
      ...notOffered('order of a group', html, fields),
    ];
  }

  async function gapsOfCalls(way: Way, { number }: Application): Promise<string[]> {
    const list: Record<string, unknown>[] = JSON.parse(await atDesk('/api/admin/applications'));
    const answered = needed(list.find((one) => one.applicationNumber === number));
    return fields.filter(way.only).flatMap((field) => {
      const [name, value] = seen[field].call ?? [];
      return name === undefined || answered[name] === value
        ? []
        : [`${field} is not in the staff call: ${name} is ${String(answered[name])}`];
    });
  }

  async function gapsOfCorrection(way: Way, application: Application): Promise<string[]> {
    const asked = fields.filter(
      (field) => way.only(field) && questionByField(field).mayBeCorrected,
    );
    if (asked.length === 0) return [];
    const asking = { applicationId: application.id, fields: asked, note: 'Please look again.' };
    expect(await askCorrection(platform, staff, asking)).toMatchObject({ ok: true });
    const correction = needed((await applicationCorrections(platform.db, application.id))[0]);
    const { pathname } = new URL(correctionAddress(platform, correction, application));
    return withoutControl('correction', (await visit(pathname)).html, asked);
  }

  test('every question is wherever its answer belongs', async () => {
    const { order, visas } = await makeOrder(platform, {
      travellers: ways.map(({ answers }) => answers),
      paid: true,
    });
    const gaps = await gapsOfOrder(order.number);
    for (const [index, way] of ways.entries()) {
      const application = needed(visas[index]);
      gaps.push(
        ...(await gapsOfWizard(way)),
        ...(await gapsOfCopy(way, application)),
        ...(await gapsOfDesk(way, application)),
        ...(await gapsOfCalls(way, application)),
        ...(await gapsOfCorrection(way, application)),
      );
    }
    expect(gaps).toEqual([]);
  });
});

describe('wizard mistakes', async () => {
  const platform = await makeTestPlatform({ now: NOW });
  const browser = visitor(makeTestApp(platform));

  beforeAll(() => seedAll(platform.db, seeders, platform.now()));

  const sent = (fields: Record<string, string>): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams({ intent: 'next', ...fields }),
  });

  const date = (field: string, day: string, month: string, year: string) => ({
    [`${field}-day`]: day,
    [`${field}-month`]: month,
    [`${field}-year`]: year,
  });

  type Mistake = readonly [string, string, string, Record<string, string>];

  const withoutDocument: readonly Mistake[] = [
    ['no day of arrival', 'arrival', 'arrivalDate', date('arrivalDate', '', '', '')],
    ['an arrival that is over', 'arrival', 'arrivalDate', date('arrivalDate', '1', '1', '2026')],
    ['no such day', 'arrival', 'arrivalDate', date('arrivalDate', '30', 'February', '2027')],
    ['no last name', 'details', 'lastName', { lastName: '' }],
    ['a first name of digits', 'details', 'firstName', { firstName: 'Th4bo' }],
    ['no passport number', 'details', 'passportNumber', { passportNumber: '' }],
    ['a birth in the future', 'details', 'dateOfBirth', date('dateOfBirth', '2', '5', '2084')],
    ['a place of one letter', 'details', 'placeOfBirth', { placeOfBirth: 'D' }],
    ['no day of issue', 'details', 'passportIssueDate', date('passportIssueDate', '', '', '')],
    [
      'a passport that is over',
      'details',
      'passportExpiryDate',
      date('passportExpiryDate', '1', '1', '2025'),
    ],
    ['no mother', 'details', 'motherName', { motherName: '' }],
    ['a father of one letter', 'details', 'fatherName', { fatherName: 'S' }],
    ['an e-mail without its end', 'details', 'email', { email: 'thabo@nowhere' }],
    ['a phone of letters', 'details', 'phone', { phone: 'call me' }],
    ['a short address', 'details', 'address', { address: '12 Road' }],
  ];

  const withDocument: readonly Mistake[] = [
    [
      'no number',
      'supporting-document',
      'supportingDocumentNumber',
      { supportingDocumentNumber: '' },
    ],
    [
      'a document that is over',
      'supporting-document',
      'supportingDocumentEndDate',
      date('supportingDocumentEndDate', '1', '1', '2025'),
    ],
  ];

  /** The value of a control, by its name. */
  function valueOf(html: string, name: string): string {
    const [tag = ''] =
      html.match(new RegExp(`<(?:input|textarea)[^>]*\\bname="${name}"[^>]*>[^<]*`)) ?? [];
    const inside = tag.startsWith('<textarea') ? tag.slice(tag.indexOf('>') + 1) : undefined;
    const value = inside ?? /\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '';
    return value.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').trim();
  }

  /** Answers the steps before the one with the mistake. */
  async function expectProblem(
    answers: Record<string, string>,
    steps: readonly string[],
    [, step, field, wrong]: Mistake,
  ) {
    const visit = browser();
    for (const before of ['', ...steps.slice(0, steps.indexOf(step))]) {
      const { response } = await visit(`/application${before && `/${before}`}`, sent(answers));
      expect(response.status, before).toBe(303);
    }
    const typed = { ...answers, ...wrong };
    const { html } = await visit(`/application/${step}`, sent(typed));
    expect(html).toContain('<title>Error: ');
    const listed = [...html.matchAll(/<li><a[^>]* href="#([\w-]+)">/g)].map(([, at]) => at);
    expect(listed).toEqual([field]);
    expect(html).toContain(`id="${field}-error"`);
    const texts = Object.keys(typed).filter((name) =>
      new RegExp(
        `<(?:input(?![^>]*type="(?:radio|checkbox|hidden)")|textarea)[^>]*\\bname="${name}"`,
      ).test(html),
    );
    expect(texts.length).toBeGreaterThan(2);
    for (const name of texts) expect(valueOf(html, name), name).toBe(typed[name]);
  }

  describe('a mistake in the wizard is said at its field, with everything as it was typed', () => {
    const short = ['what-it-allows', 'arrival', 'details'];
    it.each(withoutDocument)('%s', (...mistake) => expectProblem(southAfrican, short, mistake));

    const long = ['supporting-document', 'arrival', 'prerequisites', 'details'];
    it.each(withDocument)('%s', (...mistake) => expectProblem(indian, long, mistake));
  });
});
