import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { languages } from '../src/base/languages.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { storeCase, storeStaff } from '../src/features/desk/testing/case-store.server.ts';
import { indian } from '../src/features/visa/testing/sample-browser.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

/*
 * What a request must not create: objects of `Intl`, collators above all, and a sorted list of two hundred names. That
 * took a sixth of the first step's time. Cached, it costs nothing: see `base/intl.ts` and `base/once-per-language.ts`.
 */

const platform = await makeTestPlatform();
const app = makeTestApp(platform);

/** Longer lists than any page's rows come from reference data or settings. */
const LONG = 60;

const made: string[] = [];
const replaced: [string, unknown][] = [];

/** Records every `Intl` object that is created and every long list that is sorted. */
function watch() {
  const names = Object.getOwnPropertyNames(Intl).filter((name) => /^[A-Z]/.test(name));
  for (const name of names) {
    const original: unknown = Reflect.get(Intl, name);
    if (typeof original !== 'function') continue;
    const noting = new Proxy(original, {
      construct(target, args, self) {
        made.push(`Intl.${name}`);
        return Reflect.construct(target, args, self);
      },
      apply(target, self, args) {
        made.push(`Intl.${name}`);
        return Reflect.apply(target, self, args);
      },
    });
    replaced.push([name, original]);
    Reflect.set(Intl, name, noting);
  }
  for (const name of ['sort', 'toSorted'] as const) {
    const original = Array.prototype[name];
    vi.spyOn(Array.prototype, name).mockImplementation(function (this: unknown[], compare) {
      if (this.length >= LONG) made.push(`Array.${name} of ${this.length}`);
      return original.call(this, compare);
    });
  }
  const compare = String.prototype.localeCompare;
  vi.spyOn(String.prototype, 'localeCompare').mockImplementation(function (this: string, that) {
    made.push('String.localeCompare');
    return compare.call(this, that);
  });
}

afterEach(() => {
  for (const [name, original] of replaced.splice(0)) Reflect.set(Intl, name, original);
  vi.restoreAllMocks();
  made.length = 0;
});

/** The cookies of a visitor without scripts who has answered every step up to the review. */
async function fillWizard(): Promise<string> {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map((pair) => pair.join('=')).join('; ');
  for (const step of ['', '/supporting-document', '/arrival', '/prerequisites', '/details']) {
    const answer = await app.request(`/en/application${step}`, {
      method: 'POST',
      headers: { cookie: cookie() },
      body: new URLSearchParams(indian),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
  }
  return cookie();
}

type Visit = { path: string; cookie?: string };
const visits: Visit[] = [];

beforeAll(async () => {
  await seedAll(platform.db, seeders, platform.now());
  const { number } = await storeCase(platform);
  await storeCase(platform, { kind: 'insurance' });
  const { cookie: desk } = await storeStaff(platform, { role: 'administrator' });
  const wizard = await fillWizard();
  const pages = [
    '',
    '/application',
    '/application/supporting-document',
    '/application/arrival',
    '/application/details',
    '/application/review',
    '/insurance',
    '/requirements',
    '/faq',
    '/refund',
    '/payment-troubleshoot',
    `/status?ref=${number}`,
  ];
  visits.push(
    ...languages.flatMap(({ code }) =>
      pages.map((page) => ({ path: `/${code}${page}`, cookie: wizard })),
    ),
    ...languages.map(({ code }) => ({ path: `/api/countries?language=${code}` })),
    ...['en', 'ar'].flatMap((code) =>
      [
        '/admin',
        '/admin?tab=insurance&sort=name',
        '/admin/live?queue',
        `/admin/live?queue&number=${number}`,
        `/admin/applications/${number}`,
        `/admin/orders/${number}`,
        '/admin/refunds',
        '/admin/payments',
        '/admin/reconciliation',
        '/admin/statistics',
        '/admin/settings',
        '/admin/settings/countries',
        '/admin/settings/countries/ZAF',
        '/admin/settings/prices',
        '/admin/audit',
        '/admin/accounts',
      ].map((path) => ({ path: `/${code}${path}`, cookie: desk })),
    ),
  );
});

const open = async ({ path, cookie = '' }: Visit) => {
  const answer = await app.request(path, { headers: { cookie } });
  await answer.text();
  return answer.status;
};

test('no request makes an object of Intl or sorts a long list, once one like it was answered', async () => {
  const refused: [string, number][] = [];
  for (const visit of visits) {
    const status = await open(visit);
    if (status !== 200) refused.push([visit.path, status]);
  }
  expect(refused).toEqual([]);
  // Expires cached pages and counters by the minute.
  platform.clock.advance(61_000);
  watch();
  const found: string[] = [];
  for (const visit of visits) {
    made.length = 0;
    await open(visit);
    if (made.length > 0) found.push(`${visit.path}: ${[...new Set(made)].join(', ')}`);
  }
  expect(found).toEqual([]);
}, 120_000);

test('the watch sees what it has to see', () => {
  watch();
  const names = Array.from({ length: LONG }, (_, index) => `${index}`);
  names.toSorted(new Intl.Collator('tr').compare);
  expect('a'.localeCompare('b')).toBe(-1);
  expect(made).toEqual(['Intl.Collator', `Array.toSorted of ${LONG}`, 'String.localeCompare']);
});
