import { beforeAll, describe, expect, it } from 'vitest';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seedInsurance } from '../store/seed.server.ts';
import { filledIn, sentForm, visitor } from '../testing/visit.ts';

const platform = await makeTestPlatform();
const browser = visitor(makeTestApp(platform));

beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

const date = (field: string, day: string, month: string, year: string) => ({
  [`${field}-day`]: day,
  [`${field}-month`]: month,
  [`${field}-year`]: year,
});

/** A number of the nationality, with another country chosen beside it. */
const MEXICAN_OF_SOUTH_AFRICA = { phone: '33 1234 5678', phoneCountry: 'ZAF' };

/** One mistake each, and the field that must report it. */
const mistakes: readonly (readonly [string, string, Record<string, string>])[] = [
  ['no plan', 'productId', { productId: '' }],
  ['a plan that is too short', 'productId', { productId: '7-days' }],
  ['a plan that nobody sells', 'productId', { productId: '8-days' }],
  ['no first name', 'firstName', { firstName: '   ' }],
  ['a first name of digits', 'firstName', { firstName: 'S0f1a' }],
  ['no last name', 'lastName', { lastName: '' }],
  ['a last name in Arabic letters', 'lastName', { lastName: 'محمد' }],
  ['no e-mail', 'email', { email: '' }],
  ['an e-mail without its end', 'email', { email: 'sofia@correo' }],
  ['two e-mails', 'email', { email: 'a@b.example, c@d.example' }],
  ['an e-mail with two dots', 'email', { email: 'a@example..com' }],
  ['an e-mail with a dot at its end', 'email', { email: 'x@example.com.' }],
  ['an e-mail with a comma', 'email', { email: 'a,b@c.de' }],
  ['an e-mail that looks mistyped', 'email', { email: 'sofia@gmial.com' }],
  ['no phone', 'phone', { phone: '' }],
  ['a phone of letters', 'phone', { phone: 'call me' }],
  ['a phone of nobody’s country', 'phone', { phone: '0171 1234567' }],
  ['a phone of another country than the chosen one', 'phone', MEXICAN_OF_SOUTH_AFRICA],
  ['a phone with an extension', 'phone', { phone: '+52 33 1234 5678 ext 5' }],
  ['a phone with too many digits', 'phone', { phone: '+52 33 1234 5678 90' }],
  ['no passport number', 'passportNumber', { passportNumber: '' }],
  ['a passport number with signs', 'passportNumber', { passportNumber: 'G3821*!' }],
  ['no nationality', 'nationality', { nationality: '' }],
  ['a nationality that is none', 'nationality', { nationality: 'XXX' }],
  ['no travel date', 'travelDate', date('travelDate', '', '', '')],
  ['a travel date without a year', 'travelDate', date('travelDate', '12', '12', '')],
  ['a day that does not exist', 'travelDate', date('travelDate', '31', 'February', '2027')],
  ['a travel date that is over', 'travelDate', date('travelDate', '1', '1', '2026')],
  ['a month that is none', 'returnDate', date('returnDate', '21', 'Smarch', '2026')],
  ['a return before the journey', 'returnDate', date('returnDate', '11', '12', '2026')],
  ['a journey of two years', 'returnDate', date('returnDate', '12', '12', '2028')],
  ['no date of birth', 'dateOfBirth', date('dateOfBirth', '', '', '')],
  ['a birth in the future', 'dateOfBirth', date('dateOfBirth', '14', '7', '2091')],
  ['a birth too long ago', 'dateOfBirth', date('dateOfBirth', '14', '7', '1891')],
  ['a child without a parent’s ID', 'parentIdPhotos', date('dateOfBirth', '14', '7', '2015')],
];

/** The value of a control in the page. */
function valueOf(html: string, name: string): string | undefined {
  const control = new RegExp(`<(?:input|textarea)[^>]*\\bname="${name}"[^>]*>`, 'g');
  const [tag = ''] = html.match(control) ?? [];
  return /\bvalue="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&');
}

const typedTexts = ['lastName', 'firstName', 'passportNumber', 'placeOfBirth', 'email', 'phone'];
const typedDates = ['travelDate', 'returnDate', 'dateOfBirth'].flatMap((field) =>
  ['day', 'month', 'year'].map((part) => `${field}-${part}`),
);

describe('a mistake in the insurance form', () => {
  it.each(mistakes)('%s: said at %s, with everything as it was typed', async (_, field, wrong) => {
    const typed: Record<string, string> = { ...filledIn, ...wrong };
    const { response, html } = await browser()('/insurance', sentForm(typed));
    expect(response.status).toBe(422);
    expect(html).toContain('<title>Error: ');
    const listed = [...html.matchAll(/<li><a[^>]* href="#([\w-]+)">/g)].map(([, at]) => at);
    expect(listed).toEqual([field]);
    expect(html).toContain(`id="${field}"`);
    expect(html).toContain(`id="${field}-error"`);
    const names = [...typedTexts, ...typedDates];
    const shown = Object.fromEntries(names.map((name) => [name, valueOf(html, name) ?? '']));
    expect(shown).toEqual(Object.fromEntries(names.map((name) => [name, typed[name]])));
    const chosen = (name: string) => new RegExp(`<option value="${typed[name]}" selected="">`);
    if (field !== 'nationality') expect(html).toMatch(chosen('nationality'));
    expect(html).toMatch(chosen('documentType'));
  });
});
