import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { completeAnswers, countries, NOW } from '../src/features/visa/testing/sample-answers.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { useDatabase } from './database.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

const POOL = 2;
// Long enough to connect on a busy machine, too.
const database = await useDatabase({ poolSize: POOL, waitMs: 2000 });
const platform = await makeTestPlatform({ now: NOW, database });
const app = makeTestApp(platform);
beforeAll(() => seedAll(platform.db, seeders, NOW));

const held: (() => void)[] = [];
const release = () => held.splice(0).forEach((one) => one());
afterEach(release);

/** Takes every connection. */
async function takeAllConnections() {
  for (let n = 0; n < POOL; n++) {
    const client = await platform.pool.connect();
    held.push(() => client.release());
  }
}

const page = (path: string, init: RequestInit = {}) =>
  app.request(path, {
    ...init,
    headers: { accept: 'text/html', cookie: 'lale_draft=x' },
  });

describe('without a free connection', () => {
  it.each([
    ['en', 'Lale is very busy right now', 'ltr'],
    ['ar', 'عدد الزوار كبير جدًا الآن', 'rtl'],
  ])('a page in %s says that we are busy, with 503', async (language, title, direction) => {
    await takeAllConnections();
    const answer = await page(`/${language}/application`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    const text = await answer.text();
    expect(text).toContain(`lang="${language}" dir="${direction}"`);
    expect(text).toContain(`<h1>${title}</h1>`);
  });

  it('a form that is sent is refused in the same way', async () => {
    await takeAllConnections();
    const body = new URLSearchParams({ intent: 'next', countryId: 'ZAF' });
    const answer = await page('/application', { method: 'POST', body });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('the script of an open page is refused with 503', async () => {
    await takeAllConnections();
    const answer = await app.request('/application', {
      headers: { cookie: 'lale_draft=x', accept: 'application/json' },
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('a call is refused with 503 and a code', async () => {
    await takeAllConnections();
    const { purpose: _, ...answers } = completeAnswers(countries.southAfrica);
    const answer = await app.request('/api/applications', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...answers, totalAmount: '94.00' }),
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ status: 503, code: 'busy' });
  });

  it('is over as soon as there is one', async () => {
    await takeAllConnections();
    expect((await page('/application')).status).toBe(503);
    release();
    expect((await page('/application')).status).toBe(200);
  });
});
