import { beforeAll, describe, expect, it } from 'vitest';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { visitor } from '../src/features/insurance/testing/visit.ts';
import { indian, southAfrican } from '../src/features/visa/testing/sample-browser.server.ts';
import { NOW } from '../src/features/visa/testing/sample-answers.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

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
