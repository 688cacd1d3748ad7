import { describe, expect, it } from 'vitest';
import { seeders } from '~/app/composition/seeders.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const platform = await makeTestPlatform({ now: NOW });
await seedAll(platform.db, seeders, NOW);
const app = makeTestApp(platform);

async function textOf(path: string): Promise<string> {
  const html = await (await app.request(path)).text();
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
  return main.replaceAll(/<[^>]*>/g, '').replaceAll('&#x27;', "'");
}

/** Both places that answer who needs what: the home page's check and the wizard's first page. */
const answers = (code: string, document = 'ordinary', language = 'en') =>
  Promise.all([
    textOf(`/${language}?countryId=${code}&documentType=${document}`),
    textOf(`/${language}/application?countryId=${code}&documentType=${document}`),
  ]);

describe('what a nationality is told, on the home page and at the first step', () => {
  it.each([
    ['DEU', 'ordinary', 'Germany: no visa for 90 days in any 180, with an ordinary passport.'],
    ['THA', 'ordinary', 'Thailand: no visa for up to 30 days each visit'],
    ['DEU', 'identity', 'Germany, with this document: no visa for 90 days in any 180.'],
    ['AUT', 'identity', 'Austria: no visa for 90 days in any 180, with an ordinary passport.'],
    ['AUT', 'identity', 'Use your passport, or check with your airline.'],
    ['JPN', 'diplomatic', 'Japan: no visa for 90 days in any 180, with an ordinary passport.'],
    ['JPN', 'diplomatic', 'Other rules may apply to this document. Ask a Turkish consulate.'],
    ['USA', 'diplomatic', 'With this document you need a visa from a Turkish consulate.'],
    ['PAK', 'service', 'Pakistan, with this document: no visa for 90 days in any 180.'],
    ['ARM', 'diplomatic', 'the e-visa is free at evisa.gov.tr'],
    ['LKA', 'service', 'apply yourself at evisa.gov.tr'],
    ['BMU', 'ordinary', 'check at evisa.gov.tr before you pay'],
    ['TWN', 'ordinary', 'You also need a supporting document'],
    ['EGY', 'ordinary', 'Turkish Airlines, AJet, Pegasus, EgyptAir or Air Cairo'],
    [
      'EGY',
      'ordinary',
      'Under 15 or over 45: you can get the e-visa without a supporting document.',
    ],
    ['DEU', 'ordinary', 'Checked on 27 May 2026.'],
  ])('%s, %s: %s', async (code, document, words) => {
    for (const text of await answers(code, document)) expect(text).toContain(words);
  });

  it('says nothing of an e-visa refused where none is needed', async () => {
    for (const document of ['identity', 'diplomatic']) {
      for (const text of await answers('DEU', document)) {
        expect(text).not.toContain('You cannot get an e-visa');
      }
    }
  });

  it.each([
    ['tr', '180 günlük her dönemde 90 güne kadar'],
    ['de', '90 Tage je Zeitraum von 180 Tagen'],
    ['fr', '90 jours sur toute période de 180 jours'],
    ['es', '90 días en cualquier periodo de 180 días'],
    ['ar', '90 يومًا خلال أي فترة مدتها 180 يومًا'],
  ])('counts the stay in any 180 days in %s', async (language, words) => {
    for (const text of await answers('DEU', 'ordinary', language)) expect(text).toContain(words);
  });
});

describe('what it costs, said where prices are explained', () => {
  const charge = 'What the Turkish authorities charge is included.';

  it('names the lowest price in US dollars, and what it includes', async () => {
    const home = await textOf('/en');
    expect(home).toContain('From US$94.00');
    expect(home).not.toMatch(/, all in/);
    expect(home).toContain(charge);
    for (const page of ['/en/faq', '/en/terms']) expect(await textOf(page)).toContain(charge);
  });

  it.each(['/en', '/en/processing-times', '/en/insurance', '/en/application'])(
    '%s says once that prices are in US dollars',
    async (page) => {
      const html = await (await app.request(page)).text();
      expect(html.match(/All prices are in US dollars/g)).toHaveLength(1);
    },
  );

  it('follows the operator’s word, shows no other cards, and no chat or help centre that is not there', async () => {
    const other = await makeTestPlatform({
      now: NOW,
      variables: { AUTHORITIES_CHARGE: 'not_included', CARD_BRANDS: 'visa,mastercard' },
    });
    await seedAll(other.db, seeders, NOW);
    const html = await (await makeTestApp(other).request('/en')).text();
    expect(html).toContain('What the Turkish authorities charge is not included.');
    expect([...html.matchAll(/cards\.svg#(\w+)/g)].map(([, card]) => card)).toEqual([
      'visa',
      'mastercard',
    ]);
    expect(html).not.toMatch(/Live chat|Help centre/);
    expect(html).toContain('>Contact</a>');
  });
});
