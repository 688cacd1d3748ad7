import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, it, beforeAll, beforeEach } from 'vitest';
import { withOperator } from '~/features/settings/operator.server.ts';
import { languageCodes, languages, type Language } from '~/base/languages.ts';
import { sampleTerms } from '~/features/insurance/store/seed.server.ts';
import { secretLinkEmail, emailWords } from '~/features/email/kinds/kind.server.ts';
import { emailText } from '~/features/email/layout/content.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import { hasSamples } from '~/platform/config/sample-operator.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { findPlaceholders } from './page-checks.ts';
import { makeTestPlatform } from './platform.ts';
import { makeTestApp } from './pages.ts';
import { family, makeOrder } from './make.ts';
import { purchases } from './purchases.ts';
import { startTestService } from './service.ts';
import { needed } from './needed.ts';

/*
 * No text contains a placeholder ("[insurer legal name]") or a note to the operator. Pages and emails consist of these
 * texts, the operator and the insurer; `every-page.test.ts` checks every public page as well.
 */

const filesIn = (folder: string) =>
  readdirSync(join(projectRoot, folder)).map((name) => join(folder, name));

test.each(languageCodes)('no text in %s has a placeholder or a note to the operator', (code) => {
  const found = [...filesIn(`locales/${code}`), ...filesIn(`text/${code}`)].flatMap((file) => {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    // A link in Markdown: its text, then its address.
    return findPlaceholders(text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('\n')).map(
      (line) => `${file}: ${line}`,
    );
  });
  expect(found).toEqual([]);
});

test('the sample terms are complete, and say in every language that they are samples', () => {
  for (const [field, value] of Object.entries(sampleTerms)) expect(value, field).not.toBeNull();
  for (const code of languageCodes) {
    expect(sampleTerms.wording?.[code]).toBeTruthy();
    for (const { title, limit } of sampleTerms.covers) {
      expect(title?.[code]).toBeTruthy();
      expect(limit?.[code]).toMatch(/sample|örnek|exemple|Muster|ejemplo|نموذج/);
    }
  }
  expect(findPlaceholders(JSON.stringify(sampleTerms.covers).split('"'))).toEqual([]);
});

describe('the operator', async () => {
  const platform = await makeTestPlatform();
  const named = {
    OPERATOR_LEGAL_NAME: 'Harbour Travel Ltd',
    OPERATOR_ADDRESS: '3 Quay, Test City',
    OPERATOR_TAX_NUMBER: '1234567890',
    OPERATOR_SUPPORT_EMAIL: 'help@harbour.example',
    OPERATOR_SUPPORT_PHONE: '+90 212 555 00 00',
  };

  test('is a sample in test mode until somebody is named', async () => {
    expect(hasSamples(platform.config.operator)).toBe(true);
    expect(findPlaceholders(Object.values(platform.config.operator).flat())).toEqual([]);
    const { config } = await makeTestPlatform({ variables: named });
    expect(hasSamples(config.operator)).toBe(false);
    expect(config.operator.legalName).toBe('Harbour Travel Ltd');
  });

  test.each(languageCodes)('leaves no placeholder in e-mails, in %s', async (code) => {
    const words = emailWords(await withOperator(platform), code);
    const link = { url: 'https://lale.example/x', count: 7 };
    const kinds = ['invitation', 'resume', 'password_reset'] as const;
    const emails = kinds.map((kind) => secretLinkEmail(words, kind, link));
    for (const email of emails) expect(findPlaceholders(emailText(email).split('\n'))).toEqual([]);
  });
});

describe('right advice', async () => {
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
      ['DEU', 'ordinary', 'Germany: no visa for 90 days in any 180. You need nothing from us.'],
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
});

describe('skipped days', async () => {
  /** A Tuesday; Wednesday afternoon and Thursday are Republic Day and its eve. */
  const BEFORE = new Date('2026-10-27T10:00:00Z');
  const service = await startTestService({ now: BEFORE, variables: { TRUST_PROXY: 'yes' } });
  const { platform, payments } = service;
  const app = makeTestApp(platform, payments);
  const { start, pay, comeBack } = purchases(service);

  let visitor = 0;
  const read = async (path: string, cookie = '') => {
    const headers = { 'x-forwarded-for': `192.0.2.${visitor++}`, cookie };
    return plain(await (await app.request(path, { headers })).text());
  };
  /** Without tags, and without the marks and spaces that keep words together. */
  const plain = (html: string): string =>
    (html.split('<script id="page-data"')[0] ?? '')
      .replaceAll(/<!-- -->|<[^>]*>|[\u2066-\u2069]/g, '')
      .replaceAll('&#x27;', "'")
      .replaceAll(/[\s\u00a0\u202f]+/g, ' ');

  const dateIn = (text: string, language: Language): string => {
    const date = parseDate(text);
    return date ? plain(formatDate(date, language)) : '';
  };

  async function buy(language: string, size = 2) {
    const travellers = family.slice(0, size).map((one) => ({ ...one, plan: undefined }));
    const headers = { 'accept-language': language };
    const { order, visas, cookie } = await makeOrder(platform, { travellers, headers });
    await comeBack(await pay(await start(order)));
    platform.sent.length = 0;
    await service.runJobs();
    const [email] = platform.sent;
    return { order, visas, cookie, email: needed(email) };
  }

  beforeAll(async () => {
    await seedAll(platform.db, seeders, BEFORE);
  });

  beforeEach(() => platform.clock.set(BEFORE));

  test.each(languages)('a paid promise names the days it skips, in $code', async ({ code }) => {
    const { order, visas, cookie, email } = await buy(code);
    const t = makeTranslate(code);
    const named = [
      dateIn('2026-10-28', code),
      dateIn('2026-10-29', code),
      plain(t('application:closedDays.republic')),
    ];
    const notice = plain(t('application:closedDays.skipped'));
    const pages = {
      order: await read(`/${code}/status?ref=${order.number}`),
      traveller: await read(`/${code}/status?ref=${visas[1]?.number}`),
      confirmation: await read(`/${code}/payment-success?order=${order.number}`, cookie),
    };
    for (const [page, text] of Object.entries(pages)) {
      for (const words of [notice, ...named]) expect(text, page).toContain(words);
      // Once for all travellers.
      expect(text.split(notice), page).toHaveLength(2);
    }
    for (const text of [plain(email.html), plain(email.text)]) {
      for (const words of [plain(t('email:received.closedDays')), ...named]) {
        expect(text).toContain(words);
      }
    }
  });

  test('a promise that skips no day says nothing', async () => {
    platform.clock.set(new Date('2026-11-18T10:00:00Z'));
    const { visas, email } = await buy('en', 1);
    const t = makeTranslate('en');
    const number = visas[0]?.number;
    expect(await read(`/en/status?ref=${number}`)).not.toContain(
      t('application:closedDays.skipped'),
    );
    expect(email.text).not.toContain(t('email:received.closedDays'));
  });
});
