import { beforeAll, describe, expect, it, test } from 'vitest';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { seedVisaPrices } from '../store/store.server.ts';
import { NOW } from '../testing/sample-answers.ts';
import { southAfrican, storeCountries } from '../testing/sample-browser.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform({ now: NOW });
const browser = visitor(makeTestApp(platform));

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
});

const sent = (entries: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ ...southAfrican, intent: 'next', ...entries }),
});

/** A browser without scripts that has submitted its details. */
async function withDetails(entries: Record<string, string>) {
  const visit = browser();
  for (const step of ['', '/what-it-allows', '/arrival'])
    await visit(`/application${step}`, sent({}));
  return { visit, answer: await visit('/application/details', sent(entries)) };
}

const textIn = (html: string) => html.replaceAll('&#x27;', "'").replace(/<[^>]*>/g, '');

describe('a detail that cannot be right', () => {
  test.each([
    [{ passportNumber: 'PASSPORT' }, 'Document number must contain digits'],
    [{ passportNumber: '000000000' }, 'Document number cannot be all the same digit'],
    [{ placeOfBirth: '12' }, 'Place of birth must contain letters'],
    [{ address: '12 Marine Parade 🏠, Durban' }, 'Address contains characters that cannot be used'],
    [{ 'dateOfBirth-year': '90' }, 'Enter all four digits of the year'],
    [{ 'dateOfBirth-day': '00' }, 'or 1 if your passport shows no day of birth'],
    [{ 'dateOfBirth-month': 'XX' }, 'or 1 if your passport shows no month of birth'],
    [{ lastName: 'Ɗanjuma' }, 'Enter the name as the lines of code'],
    [{ firstName: 'Thandi2' }, 'A name cannot contain numbers'],
    [{ lastName: 'x'.repeat(61) }, 'Use no more than 60 characters'],
    [{ lastName: '-' }, 'If your passport shows only one name, enter it here'],
    [{ fatherName: 'N/A' }, 'If no document names this parent, enter UNKNOWN'],
    [{ motherName: '-' }, 'If no document names this parent, enter UNKNOWN'],
  ])('%j is told: %s', async (entries, message) => {
    const { answer } = await withDetails(entries);
    expect(answer.response.status).toBe(422);
    expect(textIn(answer.html)).toContain(message);
    for (const typed of Object.values(entries)) expect(answer.html).toContain(typed);
  });
});

it('links the privacy page before the first personal question', async () => {
  const { html } = (await withDetails({ firstName: '' })).answer;
  const asked = html.indexOf('name="lastName"');
  expect(asked).toBeGreaterThan(0);
  expect(html.slice(html.indexOf('<main'), asked)).toContain('href="/privacy"');
});

it('names the wrong date first, as its label does, then says which part of it is wrong', async () => {
  const { answer } = await withDetails({
    'dateOfBirth-day': '',
    'passportIssueDate-day': '31',
    'passportIssueDate-month': 'February',
    'passportExpiryDate-month': '13',
  });
  for (const words of [
    'Date of birth: Invalid date format. Enter a day from 1 to 31, or 1 if',
    'Passport issue date: Invalid date format. This month has fewer days',
    'Passport expiry date: Invalid date format. Enter the month as a number from 1 to 12 or by',
  ]) {
    expect(textIn(answer.html)).toContain(words);
  }
  expect(textIn(answer.html)).not.toContain('27 3 1987');
});

it('says so at the first step too, whose next page would be another application’s', async () => {
  const visit = browser();
  await visit('/application', sent({}));
  const { html } = await visit('/application');
  const version = /name="version"[^>]*value="(\d+)"/.exec(html)?.[1] ?? '';
  expect(Number(version)).toBeGreaterThan(0);
  visit.deleteCookies();
  const gone = await visit('/application', sent({ version }));
  expect(gone.location).toBe('/application?gone=yes');
  // Once it has been said, the next press goes on.
  expect((await visit('/application', sent({}))).location).toBe('/application/what-it-allows');
});

it('keeps what was sent from a page whose draft is gone, and says so', async () => {
  const visit = browser();
  const gone = await visit('/application/details', sent({ motherName: 'Nomsa Zulu' }));
  expect(gone.location).toBe('/application?gone=yes');
  const first = await visit(gone.location);
  expect(textIn(first.html)).toContain('This application is no longer open on this device');
  for (const step of ['', '/what-it-allows', '/arrival'])
    await visit(`/application${step}`, sent({}));
  expect((await visit('/application/details')).html).toContain('value="Nomsa Zulu"');
});

it('says where Next leads only as far as it knows: another nationality asks other questions', async () => {
  const { visit } = await withDetails({});
  const { html } = await visit('/application?then=review');
  expect(textIn(html)).not.toContain('Next: check and pay');
});

it('shows the passport number in the review as it is stored', async () => {
  const { visit, answer } = await withDetails({ passportNumber: 'a 012-345 67' });
  expect(answer).toMatchObject({ location: '/application/review' });
  const { html } = await visit('/application/review');
  expect(textIn(html)).toContain('A01234567');
  expect(textIn(html)).not.toContain('a 012-345 67');
});

describe('a phone number without a country code', () => {
  it('is read in the country of the nationality, and the review shows the code', async () => {
    const { visit, answer } = await withDetails({ phone: '０８２ ۱۲۳ 4567' });
    expect(answer).toMatchObject({ location: '/application/review' });
    expect(textIn((await visit('/application/review')).html)).toContain('+27 82 123 4567');
    // Another nationality later does not change the number.
    expect((await visit('/application/details')).html).toContain('value="+27 82 123 4567"');
  });

  test.each([
    ['en', 'Check the number or select another country'],
    ['tr', 'Numarayı kontrol edin ya da başka bir ülke seçin'],
    ['fr', 'Vérifiez le numéro ou choisissez un autre pays'],
    ['de', 'Prüfen Sie die Nummer oder wählen Sie ein anderes Land'],
    ['es', 'Compruebe el número o seleccione otro país'],
    ['ar', 'تحقق من الرقم أو اختر دولة أخرى'],
  ])('is refused where it is none there, and says what to do (%s)', async (language, message) => {
    const { visit } = await withDetails({});
    const cookie = { headers: { 'Accept-Language': language } };
    const phone = '0171 1234567';
    const answer = await visit('/application/details', { ...sent({ phone }), ...cookie });
    expect(answer.response.status).toBe(422);
    expect(textIn(answer.html)).toContain(message);
    expect(answer.html).toContain(phone);
  });
});

describe('a country chosen beside the phone number', () => {
  const chosen = (page: string) =>
    /<option value="(\w+)" selected="">[^<]*\+\d+/.exec(page)?.[1] ?? null;

  it('is that of the nationality at first', async () => {
    const visit = browser();
    for (const step of ['', '/what-it-allows', '/arrival'])
      await visit(`/application${step}`, sent({}));
    expect(chosen((await visit('/application/details')).html)).toBe('ZAF');
  });

  it('gives the number its code, and is there again with it', async () => {
    const { visit, answer } = await withDetails({ phone: '0171 1234567', phoneCountry: 'DEU' });
    expect(answer).toMatchObject({ location: '/application/review' });
    expect(textIn((await visit('/application/review')).html)).toContain('+49 171 1234567');
    const { html } = await visit('/application/details');
    expect(chosen(html)).toBe('DEU');
    expect(html).toContain('value="+49 171 1234567"');
  });

  it('does not count where the number has a code of its own', async () => {
    const { visit } = await withDetails({ phone: '+90 532 123 45 67', phoneCountry: 'DEU' });
    expect(textIn((await visit('/application/review')).html)).toContain('+90 532 123 45 67');
    expect(chosen((await visit('/application/details')).html)).toBe('TUR');
  });

  it('is kept where the number is none of that country', async () => {
    const { answer } = await withDetails({ phone: '0171', phoneCountry: 'DEU' });
    expect(answer.response.status).toBe(422);
    expect(chosen(answer.html)).toBe('DEU');
  });
});

test('names, places and numbers are not corrected by the device', async () => {
  const { answer } = await withDetails({ lastName: '-' });
  const controls = answer.html.match(/<(?:input|textarea)[^>]*>/g) ?? [];
  const typed = controls.filter(
    (one) => /type="text"|<textarea/.test(one) && !/name="phoneCountry|machineReadable/.test(one),
  );
  expect(typed.length).toBeGreaterThan(10);
  for (const one of typed) expect(one).toMatch(/(?=.*autocorrect="off")(?=.*spellcheck="false")/i);
});
