import { beforeAll, describe, expect, it } from 'vitest';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { sampleLines, type SamplePerson } from '../passport-reader/testing/sample-lines.ts';
import { LINES, READ_LINES } from '../passport-reader/zone.ts';
import { NATIONALITY_CONFIRMED, ZONE } from '../rules/typed.ts';
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

const thandi: SamplePerson = {
  issuer: 'ZAF',
  nationality: 'ZAF',
  lastName: 'Nkosi',
  firstName: 'Thandi',
  number: 'A01234567',
  born: '1990-05-17',
  sex: 'F',
  expires: '2032-02-28',
  optional: '9005170123083',
};
const linesOf = (person: Partial<SamplePerson> = {}) =>
  sampleLines('TD3', { ...thandi, ...person }).join('\r\n');

const details = '/application/details';
const sent = (entries: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(entries),
});

/** A browser without scripts at the details step. */
async function atDetails() {
  const visit = browser();
  for (const step of ['', '/what-it-allows', '/arrival'])
    await visit(`/application${step}`, sent({ ...southAfrican, intent: 'next' }));
  return {
    visit,
    read: (lines: string, typed: Record<string, string> = {}) =>
      visit(details, sent({ ...typed, [LINES]: lines, intent: READ_LINES })),
  };
}

/** The value of a control in the page. */
function valueIn(html: string, name: string): string | undefined {
  const [tag = ''] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html) ?? [];
  return / value="([^"]*)"/.exec(tag)?.[1];
}
const textIn = (html: string) =>
  html.replace(/<script[\s\S]*?<\/script>/g, '').replaceAll(/<[^>]*>|[\u2066-\u2069]/g, '');

it('may be read by the camera', async () => {
  const { visit } = await atDetails();
  const { headers } = (await visit(details)).response;
  expect(headers.get('permissions-policy')).toContain('camera=(self)');
});

describe('lines that are pasted without scripts', () => {
  it('fill in what is empty, and are not kept themselves', async () => {
    const { visit, read } = await atDetails();
    const answer = await read(linesOf());
    expect(answer.response.status).toBe(200);
    for (const { html } of [answer, await visit(details)]) {
      expect(valueIn(html, 'lastName')).toBe('NKOSI');
      expect(valueIn(html, 'firstName')).toBe('THANDI');
      expect(valueIn(html, 'passportNumber')).toBe('A01234567');
      expect(valueIn(html, 'dateOfBirth-year')).toBe('1990');
      expect(valueIn(html, 'passportExpiryDate-day')).toBe('28');
      expect(valueIn(html, ZONE)).toContain('ZAF|NKOSI|THANDI');
      expect(textIn(html)).toContain('Date of birth: 17 May 1990');
      expect(html).not.toContain(thandi.optional);
    }
  });

  it('leave what was typed, say what differs, and let go on', async () => {
    const { visit, read } = await atDetails();
    const typed = { ...southAfrican, passportNumber: 'A01234568', placeOfBirth: 'Durban' };
    const { html } = await read(linesOf(), typed);
    expect(valueIn(html, 'passportNumber')).toBe('A01234568');
    expect(valueIn(html, 'placeOfBirth')).toBe('Durban');
    expect(textIn(html)).toContain('Some answers differ from the lines in your passport');
    expect(textIn(html)).toContain('Passport number: A01234567');
    const zone = valueIn(html, ZONE) ?? '';
    const next = await visit(details, sent({ ...typed, [ZONE]: zone, intent: 'next' }));
    expect(next).toMatchObject({ location: '/application/review' });
  });

  it('of another country are told by its name, have to be confirmed, and stand on the review', async () => {
    const { visit, read } = await atDetails();
    const { html } = await read(linesOf({ nationality: 'MEX', issuer: 'MEX' }), southAfrican);
    expect(textIn(html)).toContain('Nationality: Mexico. You selected');
    expect(textIn(html)).not.toContain('MEX.');
    const typed = { ...southAfrican, [ZONE]: valueIn(html, ZONE) ?? '', intent: 'next' };
    const asked = await visit(details, sent(typed));
    expect(asked.response.status).toBe(422);
    expect(textIn(asked.html)).toContain(
      'Passport number: The passport you read is from Mexico. Change the nat',
    );
    const box = valueIn(asked.html, NATIONALITY_CONFIRMED) ?? '';
    const confirmed = await visit(details, sent({ ...typed, [NATIONALITY_CONFIRMED]: box }));
    expect(confirmed).toMatchObject({ location: '/application/review' });
    const review = await visit('/application/review');
    expect(textIn(review.html)).toContain('Nationality: Mexico. You selected');
  });

  it('that were good are no longer told of beside lines that are refused', async () => {
    const { read } = await atDetails();
    const good = await read(linesOf());
    expect(textIn(good.html)).toContain('Read from your passport');
    const zone = { ...southAfrican, [ZONE]: valueIn(good.html, ZONE) ?? '' };
    const { html } = await read(linesOf().replace('900517', '900571'), zone);
    expect(textIn(html)).not.toContain('Read from your passport');
    expect(html).toContain('<title>Error: ');
  });

  it('with a wrong character fill in nothing, keep everything typed and say where it is', async () => {
    const { read } = await atDetails();
    const wrong = linesOf().replace('900517', '900571');
    const answer = await read(wrong, { ...southAfrican, lastName: '', address: 'Durban' });
    expect(answer.response.status).toBe(422);
    expect(textIn(answer.html)).toContain('At least one character is wrong in “Date of birth”');
    expect(valueIn(answer.html, 'lastName')).toBe('');
    expect(answer.html).toContain('Durban</textarea>');
    expect(answer.html).toContain('900571');
  });

  it('are not asked for by Enter in a field: the form’s first button goes on', async () => {
    const { visit } = await atDetails();
    const { html } = await visit(details);
    const form = html.slice(html.indexOf('id="answers"'));
    const first = /<(?:button|input[^>]* type="submit")[^>]*>/.exec(form)?.[0];
    expect(first).toContain('value="next"');
  });
});
