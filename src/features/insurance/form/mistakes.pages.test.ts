import { beforeAll, describe, expect, it } from 'vitest';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seedInsurance } from '../store/seed.server.ts';
import {
  adultForm,
  formRequest,
  visitor,
  adultForm as answers,
  formRequest as form,
} from '../testing/visit.ts';
import { application } from '~/features/application/tables.server.ts';
import { insurancePhoto } from '../store/tables.server.ts';
import { formVisits } from '../testing/form-visits.ts';

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
    const typed: Record<string, string> = { ...adultForm, ...wrong };
    const { response, html } = await browser()('/insurance', formRequest(typed));
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

describe('minor', async () => {
  const { born2012, browser, photo, rows, submit, summaryOf } = await formVisits();

  describe('a traveller under 18', () => {
    it('is offered no kind of photo that would be refused', async () => {
      const { html } = await browser()('/insurance');
      expect(html).toContain('accept="image/jpeg,image/png,image/webp"');
    });

    it('is asked for a parent’s ID, in the specification’s words', async () => {
      const { html } = await browser()('/insurance', form({ ...answers, ...born2012 }));
      expect(summaryOf(html)).toEqual([
        [
          'parentIdPhotos',
          'Photos of a parent’s ID: Parent ID Required. Upload parent ID photos for under 18',
        ],
      ]);
    });

    it('keeps a photo over an error and a repetition, and stores it with the application', async () => {
      const visit = browser();
      const minor = { ...answers, ...born2012 };
      const mother = await photo('mother.jpg', '#135');
      const first = await visit('/insurance', form({ ...minor, phone: '' }, [mother]));
      expect(first.response.status).toBe(422);
      expect(summaryOf(first.html).map(([field]) => field)).toEqual(['phone']);
      expect(first.html).toContain('mother.jpg');
      expect(first.html).toContain('value="G38215640"');
      expect((await visit('/insurance')).html).toContain('mother.jpg');
      const before = await rows(insurancePhoto);
      const father = await photo('father.jpg', '#246');
      const done = await submit(visit, form(minor, [mother, father]));
      expect(done.location).toContain('/insurance/payment?ref=TRI');
      expect(await rows(insurancePhoto)).toBe(before + 1);
    });

    it('can take a photo back', async () => {
      const visit = browser();
      const sent = form({ ...answers, ...born2012, phone: '' }, [await photo('wrong.jpg')]);
      const { html } = await visit('/insurance', sent);
      const remove = /value="(remove_photo:[\w-]+)"/.exec(html)?.[1] ?? '';
      const before = await rows(insurancePhoto);
      const { location } = await visit(
        '/insurance',
        form({ ...answers, ...born2012, intent: remove }),
      );
      expect(location).toBe('/insurance#parentIdPhotos');
      expect(await rows(insurancePhoto)).toBe(before - 1);
      expect((await visit('/insurance')).html).not.toContain('wrong.jpg');
    });

    it('sees which file is no photo, and the others are kept', async () => {
      const visit = browser();
      const pdf = new File(['%PDF-1.7 not a photo'], 'id.jpg', { type: 'image/jpeg' });
      const sent = form({ ...answers, ...born2012 }, [await photo('good.jpg'), pdf]);
      const before = await rows(application);
      const { response, html } = await visit('/insurance', sent);
      expect(response.status).toBe(422);
      expect(summaryOf(html)).toEqual([
        [
          'parentIdPhotos',
          'Photos of a parent’s ID: id.jpg is the wrong type of file. Choose a JPEG, PNG or WebP file',
        ],
      ]);
      expect(html).toContain('good.jpg');
      expect(await rows(application)).toBe(before);
    });

    it('may send four photos', async () => {
      const five = await Promise.all(
        [1, 2, 3, 4, 5].map((n) => photo(`${n}.jpg`, `#${n}${n}${n}`)),
      );
      const { html } = await browser()('/insurance', form({ ...answers, ...born2012 }, five));
      expect(summaryOf(html)).toEqual([
        [
          'parentIdPhotos',
          'Photos of a parent’s ID: Too many photos. Upload no more than 4 photos',
        ],
      ]);
    });
  });
});
