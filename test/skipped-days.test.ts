import { beforeAll, beforeEach, expect, test } from 'vitest';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { formatDate, parseDate } from '../src/base/dates/dates.ts';
import { languages, type Language } from '../src/base/languages.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { textsIn } from '../src/i18n/translations.server.ts';
import { family, makeOrder } from './make.ts';
import { makeTestApp } from './pages.ts';
import { purchases } from './purchases.ts';
import { startTestService } from './service.ts';
import { needed } from './needed.ts';

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
  const t = textsIn(code);
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
  const t = textsIn('en');
  const number = visas[0]?.number;
  expect(await read(`/en/status?ref=${number}`)).not.toContain(t('application:closedDays.skipped'));
  expect(email.text).not.toContain(t('email:received.closedDays'));
});
