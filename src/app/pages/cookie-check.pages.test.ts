import { beforeAll, describe, expect, test } from 'vitest';
import { filledIn, sentForm, visitor } from '~/features/insurance/testing/visit.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seedVisaPrices } from '~/features/visa/store/prices.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { southAfrican, storeCountries } from '~/features/visa/testing/sample-browser.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';

const platform = await makeTestPlatform({ now: NOW });
const app = makeTestApp(platform);

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
  await seedAll(platform.db, [seedInsurance], NOW);
});

const fields = (entries: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(entries),
});
const first = fields({ ...southAfrican, intent: 'next' });

/** A browser that keeps nothing, and follows. */
async function follow(path: string, init: RequestInit, accept = 'text/html'): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('accept', accept);
  const answer = await app.request(path, { ...init, headers });
  const to = answer.headers.get('location');
  return to === null || answer.status < 300 || answer.status > 399
    ? answer
    : follow(to, { headers });
}

const NEEDED = {
  en: 'Your browser blocks cookies',
  de: 'Ihr Browser blockiert Cookies',
  ar: 'متصفحك يحظر ملفات تعريف الارتباط',
};

describe('a browser that keeps no cookie is told', () => {
  test.each(['text/html', '*/*'])('after the first page, asked as %s', async (accept) => {
    expect(await (await follow('/application', first, accept)).text()).toContain(NEEDED.en);
  });

  test('in its language', async () => {
    expect(await (await follow('/ar/application', first)).text()).toContain(NEEDED.ar);
    const german = { ...first, headers: { 'accept-language': 'de' } };
    expect(await (await follow('/application', german)).text()).toContain(NEEDED.de);
  });

  test('where scripts sent the page', async () => {
    const answer = await app.request('/application', {
      ...first,
      headers: { accept: 'application/json' },
    });
    const [, to = ''] = /"(\/application[^"]*)"/.exec(await answer.text()) ?? [];
    expect(await (await follow(to, {})).text()).toContain(NEEDED.en);
  });

  test('after the insurance form', async () => {
    expect(
      await (await follow('/insurance', sentForm({ ...filledIn, nationality: 'ZAF' }))).text(),
    ).toContain(NEEDED.en);
  });

  test('who signs in at the desk', async () => {
    const password = 'correct horse battery';
    const { email } = await storeStaff(platform, { passwordHash: await hashPassword(password) });
    const answer = await follow('/admin', fields({ email, password }));
    const html = await answer.text();
    expect(html).toContain(NEEDED.en);
    expect(html).toContain('href="/admin"');
  });
});

describe('a browser that keeps cookies', () => {
  test('goes on to the plain address', async () => {
    const visit = visitor(app)();
    const accept = { headers: { accept: 'text/html' } };
    const { location } = await visit('/application', { ...first, ...accept });
    expect((await visit(location, accept)).location).toBe('/application/what-it-allows');
    const later = await visit('/application/what-it-allows', { ...first, ...accept });
    expect(later.location).toBe('/application/arrival');
  });
});
