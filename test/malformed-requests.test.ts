import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { makePayments } from '../src/app/composition/payments.server.ts';
import { openSession, sessionCookie } from '../src/features/staff/session.server.ts';
import { storeObjects } from './access/objects.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { apiCalls, dataAddress, fillAddress, pageAddresses } from './routes-and-calls.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/platform/config/root.server.ts';
import { SMALL_BODY_BYTES } from '../src/platform/input/body-limit.ts';
import { fileRoutes } from '../src/platform/input/limit-body.server.ts';

/** Rounds over all requests; `JUNK_SEED` repeats one that failed. */
const ROUNDS = Number(process.env.JUNK_ROUNDS ?? '2');
const SEED = Number(process.env.JUNK_SEED ?? randomInt(1_000_000));
/** Concurrent requests: while one waits for the database, another is answered. */
const AT_ONCE = 6;

const platform = await makeTestPlatform();
const payments = makePayments(platform);
const app = makeTestApp(platform, payments);
const staff = await storeStaff(platform, { role: 'administrator' });
const { at } = await storeObjects(platform);
const stored: Record<string, readonly string[]> = at;

/** A session of its own for each, because some requests end theirs. */
async function signIn(): Promise<string> {
  const opened = { accountId: staff.id, half: false, now: platform.now() };
  const [cookie = ''] = sessionCookie(platform, await openSession(platform.db, opened)).split(';');
  return cookie;
}

const pages = pageAddresses();
const calls = apiCalls(platform, payments);
const ways = [
  ...pages.flatMap((path) =>
    ['GET', 'POST'].flatMap((method) => [
      { method, path },
      { method, path: dataAddress(path) },
    ]),
  ),
  ...calls,
];

const texts = [
  '\0',
  'a\0b@example.org',
  '‮\u200b😀ﷺ',
  "'; drop table application; --",
  '-1',
  '99999999999999999999',
  '2026-13-45',
  '%00',
  'a=%00',
  '../../etc/passwd',
  '{"a":{}}',
  '0000-00-00',
  '275760-09-14',
  'x'.repeat(20_000),
];
const fieldNames = [
  'intent',
  'email',
  'password',
  'code',
  'search',
  'query',
  'number',
  'ref',
  'order',
  'account',
  'session',
  'refund',
  'about',
  'note',
  'reason',
  'reasonCode',
  'fields',
  'role',
  'key',
  'step',
  'countryId',
  'documentType',
  'arrivalDate-day',
  'arrivalDate-month',
  'arrivalDate-year',
  'lastName',
  'productId',
  'parentIdPhotos',
  'amount',
  'orderReference',
  'applications',
  'cause',
  'validFrom',
  'totalAmount',
  'day',
  'from',
  'to',
  'place',
  'next',
  'token',
  'data',
  'payload',
  'draft',
  'choice',
];
const intents = [
  'take',
  'start',
  'approve',
  'reject',
  'correction',
  'reveal',
  'note',
  'dismiss',
  'invite',
  'save',
  'review',
  'withdraw',
  'release',
  'refund',
  'retry',
  'resend',
  'password',
  'previous',
  'later',
  'pay',
];

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(...intents),
);
const anyFields = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...fieldNames), anyText), anyText), {
  maxLength: 8,
});
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const part = (name: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${text}"\r\n\r\n${text}\r\n`;

/** A body with a declared type. */
const anyBody: fc.Arbitrary<{ type: string | null; body: string }> = fc.oneof(
  { weight: 4, arbitrary: anyFields.map((fields) => ({ type: form, body: encoded(fields) })) },
  anyFields.map((fields) => ({
    type: multipart,
    body: `${fields.map(([name, text]) => part(name, text)).join('')}--b--\r\n`,
  })),
  fc.constantFrom(
    { type: multipart, body: '--b\r\nContent-Disposition: form-data; name="a"' },
    { type: 'multipart/form-data', body: 'x' },
    { type: 'text/plain', body: 'a=b' },
    { type: null, body: '\0\0\0' },
    { type: 'application/pdf', body: '%PDF-1.7 nothing' },
    { type: 'application/json', body: '' },
    { type: 'application/json', body: '{"a":' },
    { type: 'application/json', body: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
    { type: 'application/json', body: `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}` },
    { type: 'application/json', body: '{"__proto__":{"a":1},"constructor":null}' },
  ),
  { weight: 3, arbitrary: anyFields.map((fields) => json(Object.fromEntries(fields))) },
  fc.jsonValue({ maxDepth: 4 }).map((value) => json(value)),
);

const encoded = (fields: readonly (readonly [string, string])[]) =>
  fields
    .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='))
    .join('&');
const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) });

/** A value for a parameter in an address; null: of a stored object. */
const anyPart = fc.option(
  fc.oneof(
    fc.constantFrom('%00', 'x', '%2500', '..%2f', '%ff', '%', 'TRV%00', 'null', '-1', '%20'),
    fc.constantFrom('00000000-0000-0000-0000-000000000000', '2026-02-30', 'y'.repeat(3000)),
    anyText.map((text) => encodeURIComponent(text.toWellFormed())),
  ),
  { freq: 3 },
);

const anyRequest = fc.record({
  part: anyPart,
  query: fc.oneof(
    fc.constant(''),
    anyFields.map((fields) => `?${encoded(fields)}`),
  ),
  body: anyBody,
  key: fc.option(fc.constantFrom('k', '%00', 'k'.repeat(300))),
  planted: fc.option(
    fc.constantFrom('lale_session=%00', 'lale_draft=x', 'lale_search=%00a', 'a=%'),
  ),
  signedIn: fc.boolean(),
  accept: fc.constantFrom('text/html', 'application/json'),
});
type Junk = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never;

/** Codes for a provider that did not answer, or is not configured: no failure of ours. */
const PARTNERS = ['no_provider', 'no_answer', 'not_verified', 'payment_start_failed'];

async function send(way: { method: string; path: string }, junk: Junk): Promise<string | null> {
  const headers = new Headers({ accept: junk.accept });
  if (junk.body.type) headers.set('content-type', junk.body.type);
  if (junk.key) headers.set('idempotency-key', junk.key);
  const cookies = [junk.signedIn ? await signIn() : '', junk.planted ?? ''].filter(Boolean);
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
  const address = fillAddress(way.path, stored, junk.part) + junk.query;
  const carries = way.method !== 'GET' && way.method !== 'HEAD';
  const response = await app.request(address, {
    method: way.method,
    headers,
    ...(carries && { body: Buffer.from(junk.body.body) }),
  });
  if (response.status < 500) return null;
  const problem: { code?: string } = response.headers.get('content-type')?.includes('problem+json')
    ? await response.json()
    : {};
  if (PARTNERS.includes(problem.code ?? '')) return null;
  return `${response.status} ${way.method} ${address.slice(0, 200)} ${JSON.stringify({ ...junk.body, body: junk.body.body.slice(0, 300), key: junk.key, cookie: cookies.join('; ') })}`;
}

test('the ways are found', () => {
  expect(pages).toContain('/admin/settings/countries/:code');
  expect(calls).toContainEqual({ method: 'POST', path: '/api/applications' });
  expect(ways.length).toBeGreaterThan(250);
});

test(`no junk makes any page or call fail (JUNK_SEED=${SEED})`, { timeout: 240_000 }, async () => {
  const junk = fc.sample(anyRequest, { numRuns: ways.length * ROUNDS, seed: SEED });
  const waiting = junk.map((one, index) => [ways[index % ways.length], one] as const).values();
  const failed: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [way, one] of waiting) {
        const failure = way ? await send(way, one) : null;
        if (failure) failed.push(failure);
      }
    }),
  );
  expect(failed).toEqual([]);
});

describe('the ways that failed', async () => {
  const cookie = await signIn();
  type Asked = { method?: string; body?: BodyInit; headers?: Record<string, string> };
  const ask = (path: string, { method, body, headers }: Asked = {}) =>
    app.request(path, { method, body, headers: { accept: 'text/html', cookie, ...headers } });
  const post = (path: string, body: string, type = form) =>
    ask(path, { method: 'POST', body, headers: { 'content-type': type } });

  test.each([
    ['an address', () => ask('/admin/orders/TRV%00'), 400],
    ['half an escape', () => ask('/documents/%'), 400],
    ['a query', () => ask('/status?ref=%00'), 400],
    ['a cookie', () => ask('/application', { headers: { cookie: 'lale_draft=a%00' } }), 400],
    ['the sign-in', () => post('/admin', 'email=a%00@b.example&password=x'), 400],
    ['the search', () => post('/admin/search', 'search=%00'), 400],
    ['a wrong type', () => post('/status', '{}', 'application/json'), 415],
    ['no type at all', () => ask('/status', { method: 'POST', body: Buffer.from('x') }), 415],
    ['a multipart that breaks off', () => post('/insurance', '--b\r\nContent', multipart), 400],
    ['a file’s name', () => post('/insurance', `${part('a', '\0')}--b--\r\n`, multipart), 400],
  ])('%s is refused by a page with a way back', async (_what, send, status) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toMatch(
      /We could not read what your browser sent[^]*<a href="\//,
    );
  });

  test('the page speaks the visitor’s language and leads back to where the form was', async () => {
    const response = await post('/tr/status?a=1', '{}', 'application/json');
    expect(response.headers.get('content-language')).toBe('tr');
    expect(await response.text()).toContain('<a href="/tr/status?a=1">Sayfaya geri dön</a>');
  });

  test.each([
    ['/api/applications', `{"firstName":"\\u0000"}`, 'bad_characters'],
    ['/api/insurance/applications', '[', 'not_json'],
    ['/api/payment/create', '{"amount":"1.00","orderReference":"\\u0000"}', 'bad_characters'],
    ['/paypal/order', '{"amount":"1.00","orderId":"\\u0000"}', 'bad_characters'],
    ['/api/applications', `${'['.repeat(1000)}${']'.repeat(1000)}`, 'too_deep'],
    ['/api/admin/applications/search', '{"search":"\\u0000"}', 'bad_characters'],
  ])('%s refuses %.30s with its code', async (path, body, code) => {
    const type = 'application/json';
    const headers = { accept: type, 'content-type': type, 'idempotency-key': 'k', cookie };
    const response = await app.request(path, { method: 'POST', body, headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ status: 400, code });
  });

  test('a planted cookie is taken back, so that its victim can go on', async () => {
    const response = await ask('/', { headers: { cookie: 'lale_session=%00; other=1' } });
    expect(response.headers.getSetCookie()).toEqual(['lale_session=; Path=/; Max-Age=0']);
  });
});

describe('odd references', async () => {
  const app = makeTestApp(await makeTestPlatform());

  /** What a header cannot contain unescaped: line breaks, letters beyond Latin-1, and characters with a meaning there. */
  const odd = ['\r\nSet-Cookie: a=b', '€', 'لاله', '&order=x#y', '//evil.example', 'a b'];

  test.each(['/application/change', '/insurance/change'])(
    '%s leads on with whatever stands in its address',
    async (page) => {
      for (const ref of odd) {
        for (const intent of ['leave', 'change']) {
          const answer = await app.request(`${page}?ref=${encodeURIComponent(ref)}`, {
            method: 'POST',
            headers: { origin: 'http://localhost', accept: 'text/html' },
            body: new URLSearchParams({ intent }),
          });
          expect(answer.status, `${ref} ${intent}`).toBe(303);
          const { searchParams, hash, origin } = new URL(
            answer.headers.get('location') ?? '',
            'http://localhost',
          );
          expect(origin).toBe('http://localhost');
          expect([...searchParams]).toEqual([['ref', ref]]);
          expect(hash).toBe('');
          expect(answer.headers.get('set-cookie') ?? '').not.toContain('a=b');
        }
      }
    },
  );
});

describe('request bodies', () => {
  const changing = calls.filter(({ method }) => method !== 'GET');

  /** Calls that read a request's body: without protection, an unreadable one would be answered as our failure. */
  const READS =
    /\.formData\(|\.parseBody\(|\breq(uest)?(\.raw)?(\.clone\(\))?\.(json|text|arrayBuffer|blob|bytes|body)\b/;

  const READERS = 'src/platform/input/';

  test('only the readers of `platform/input` take a request’s body', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: projectRoot });
    const reading = files
      .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
      .filter((file) => READS.test(readFileSync(join(projectRoot, file), 'utf8')));
    expect(reading.filter((file) => !file.startsWith(READERS))).toEqual([]);
    expect(reading).toEqual([`${READERS}read-body.server.ts`]);
  });

  test('each address that takes files is a page or a call', () => {
    const served = [...pages, ...changing.map(({ path }) => path)];
    expect(Object.keys(fileRoutes).filter((path) => !served.includes(path))).toEqual([]);
  });

  test('every other address refuses what is longer than text is', async () => {
    const posts = [...pages, ...pages.map(dataAddress)].map((path) => ({ method: 'POST', path }));
    const taking: string[] = [];
    for (const { method, path } of [...posts, ...changing]) {
      const { status } = await app.request(fillAddress(path, {}), {
        method,
        headers: { 'content-length': String(SMALL_BODY_BYTES + 1), cookie: 'lale_staff=x' },
      });
      if (status !== 413) taking.push(path.replace(/\.data$/, ''));
    }
    expect([...new Set(taking)].toSorted()).toEqual(Object.keys(fileRoutes).toSorted());
  });
});
