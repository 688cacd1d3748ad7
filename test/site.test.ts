import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../src/platform/postgres/database.server.ts';
import { languageCodes } from '../src/base/languages.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

const asBrowser = {
  headers: { accept: 'text/html,application/xhtml+xml', 'accept-language': 'tr' },
};
const closed = await makeTestPlatform({ variables: { MAINTENANCE: 'yes' } });
const open = await makeTestPlatform();

beforeAll(async () => {
  await seedAll(open.db, seeders, open.now());
});

describe('while the service is being worked on', () => {
  const app = makeTestApp(closed);

  test.each(languageCodes)('every page says so in %s and when to come back', async (code) => {
    for (const path of [`/${code}`, `/${code}/status`, `/${code}/faq`]) {
      const answer = await app.request(path, asBrowser);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('300');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const html = await answer.text();
      expect(html).toContain(`<html lang="${code}" dir="${code === 'ar' ? 'rtl' : 'ltr'}">`);
      expect(html).toMatch(/<h1>[^<]{8,}<\/h1><p>[^<]{40,}<\/p>/);
    }
  });

  test('a bare address speaks the browser’s language', async () => {
    expect(await (await app.request('/', asBrowser)).text()).toContain('<html lang="tr"');
  });

  test('a call is told so as a call, and nothing happens', async () => {
    const answer = await app.request('/api/applications', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'maintenance' });
  });

  test('health checks go on', async () => {
    expect((await app.request('/healthz')).status).toBe(200);
    expect((await app.request('/readyz')).status).toBe(200);
  });
});

describe('a page that fails', () => {
  let away = false;
  // A failure of ours: the connection works, and none of our tables exists.
  const address = new URL(open.pool.options.connectionString ?? '');
  address.searchParams.set('options', '-c search_path=nowhere');
  const broken = openDatabase(address.href);
  afterAll(broken.close);
  const app = makeTestApp({
    ...open,
    get db() {
      return away ? broken.db : open.db;
    },
  });

  test.each(languageCodes)(
    'says so in %s, in its frame, with a reference that the log has',
    async (code) => {
      const error = vi.spyOn(open.log, 'error').mockImplementation(() => undefined);
      away = true;
      const answer = await app.request(`/${code}/requirements`, asBrowser);
      away = false;
      expect(answer.status).toBe(500);
      const html = await answer.text();
      expect(html).toContain(`<html lang="${code}"`);
      expect(html).toContain('<footer');
      expect(html).not.toContain('does not exist');
      expect(html).toContain('<meta content="noindex" name="robots"/>');
      const reference = /data-reference[^>]*>([0-9a-f]{8})</.exec(html)?.[1];
      expect(reference).toBeDefined();
      expect(error.mock.calls.flat()).toContainEqual(expect.objectContaining({ reference }));
      error.mockRestore();
      // It is not cached: the next visitor sees the page.
      expect((await app.request(`/${code}/requirements`, asBrowser)).status).toBe(200);
    },
  );
});

describe('a content page', () => {
  const app = makeTestApp(open);

  test('is sent once and then only named', async () => {
    const first = await app.request('/de/faq', { headers: { 'accept-encoding': 'br' } });
    expect(first.headers.get('content-encoding')).toBe('br');
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = await app.request('/de/faq', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
  });

  test('holds no nonce, no framework and at most its own script', async () => {
    const answer = await app.request('/en');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
    // Tests use the development build, which adds this link.
    const html = (await answer.text()).replace(/<link data-react-router-critical-css[^>]*>/, '');
    expect(html).not.toContain('nonce');
    expect(html.match(/<script\b(?! type="application\/ld\+json")/g)).toHaveLength(1);
    expect(html.match(/rel="stylesheet"/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test('speaks each visitor’s language at a bare address', async () => {
    const langOf = async (language: string) => {
      const answer = await app.request('/terms', { headers: { 'accept-language': language } });
      expect(answer.headers.get('vary')).toContain('Cookie, Accept-Language');
      return /<html lang="(\w+)"/.exec(await answer.text())?.[1];
    };
    const asked = ['fr', 'ar', 'fr', 'pt-BR,fr;q=0.8,en;q=0.5', 'ja,ko;q=0.9', ';;;='];
    const given = [];
    for (const language of asked) given.push(await langOf(language));
    expect(given).toEqual(['fr', 'ar', 'fr', 'fr', 'en', 'en']);
  });

  test('answers a question to who asked it, and keeps nothing of it', async () => {
    const asked = await app.request('/en?countryId=MEX');
    expect(asked.headers.get('cache-control')).toBe('private, no-cache');
    expect(asked.headers.has('etag')).toBe(false);
    expect(await (await app.request('/en')).text()).not.toContain('check-answer');
  });

  test('counts “ready by” anew after a minute', async () => {
    const moment = async () =>
      /10:\d\d UTC/.exec(await (await app.request('/en/processing-times')).text())?.[0];
    expect(await moment()).toBe('10:00 UTC');
    open.clock.advance(60_000);
    expect(await moment()).toBe('10:01 UTC');
  });

  test('keeps a language only when somebody chose it, not when a browser fetches ahead', async () => {
    const from = (headers: Record<string, string>) =>
      app.request('/tr/faq', { headers: { 'sec-fetch-site': 'same-origin', ...headers } });
    expect((await from({})).headers.get('set-cookie')).toContain('preferred-language=tr');
    expect((await from({})).headers.get('cache-control')).toBe('private, no-cache');
    expect((await from({ 'sec-purpose': 'prefetch' })).headers.has('set-cookie')).toBe(false);
    expect((await from({ cookie: 'preferred-language=tr' })).headers.has('set-cookie')).toBe(false);
  });

  test('says which pages may be fetched ahead, never a language link', async () => {
    const answer = await app.request('/en/faq');
    const path = JSON.parse(answer.headers.get('speculation-rules') ?? '""');
    const rules = await app.request(path);
    expect(rules.headers.get('content-type')).toBe('application/speculationrules+json');
    expect(JSON.stringify(await rules.json())).toContain('a[hreflang]');
  });
});

describe('what programs read', () => {
  const app = makeTestApp(open);

  test('the map names every listed page in every language once', async () => {
    const xml = await (await app.request('/sitemap.xml')).text();
    const places = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place ?? '');
    expect(new Set(places).size).toBe(places.length);
    expect(places).toHaveLength(12 * languageCodes.length);
    expect(places).toContain(`${open.config.publicUrl}/ar/processing-times`);
  });

  test('crawlers are led to the map and away from what is private', async () => {
    const text = await (await app.request('/robots.txt')).text();
    expect(text).toContain(`Sitemap: ${open.config.publicUrl}/sitemap.xml`);
    expect(text).toContain('Disallow: /admin');
  });
});
