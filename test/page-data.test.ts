import { parse } from 'devalue';
import { beforeAll, expect, test } from 'vitest';
import { seedVisaPrices } from '../src/features/visa/store/prices.server.ts';
import { NOW } from '../src/features/visa/testing/sample-answers.ts';
import { storeCountries } from '../src/features/visa/testing/sample-browser.server.ts';
import { makeTestPlatform } from './platform.ts';
import { makeTestApp } from './pages.ts';

/* What pages' own scripts request: where to go, or what to show, instead of a document. */
const platform = await makeTestPlatform({ now: NOW });
beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
});
const app = makeTestApp(platform);
const accept = { accept: 'application/json' };
const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  headers: accept,
  body: new URLSearchParams(fields),
});
const chosen = {
  countryId: 'ZAF',
  documentType: 'ordinary',
  version: '0',
  page: '',
  turn: '0',
  noticed: 'ZAF ordinary',
};

test('a form that is right is told where to go, in the page’s language', async () => {
  const answer = await app.request('/tr/application', form({ ...chosen, intent: 'next' }));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('location')).toBeNull();
  expect(answer.headers.getSetCookie().join()).toContain('lale_draft=');
  expect(parse(await answer.text())).toEqual({ to: expect.stringMatching(/^\/tr\/application/) });
});

test('a form that is wrong is answered with its problems and the page’s data', async () => {
  const answer = await app.request(
    '/application',
    form({ ...chosen, countryId: '', intent: 'next' }),
  );
  expect(answer.status).toBe(422);
  expect(answer.headers.get('vary')).toContain('Accept');
  const { actionData, loaderData } = parse(await answer.text());
  expect(actionData.problems).toEqual([expect.objectContaining({ field: 'countryId' })]);
  expect(loaderData.view.step).toBe('nationality');
});

test('what is asked for is never the document, and a document never the data', async () => {
  const data = await app.request('/status', { headers: accept });
  expect(await data.text()).not.toContain('<html');
  const page = await app.request('/status', { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const program = await app.request('/status', { headers: { accept: '*/*' } });
  expect(program.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('a page that is not there is told by its status, a method that nobody offers by a problem', async () => {
  const missing = await app.request('/no/such/page', { headers: accept });
  expect(missing.status).toBe(404);
  const put = await app.request('/faq', { method: 'PUT', headers: accept });
  expect([put.status, put.headers.get('content-type')]).toEqual([405, 'application/problem+json']);
});

test('nothing on a page can end the block that holds its data', async () => {
  const typed = '</script><script>alert(1)</script>';
  const page = await app.request(`/status?ref=${encodeURIComponent(typed)}`, {
    headers: { accept: 'text/html' },
  });
  const html = await page.text();
  expect(html).not.toContain(typed);
  const [, block = ''] = /<script id="page-data"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  expect(parse(block).loaderData.typed).toBe(typed);
});
