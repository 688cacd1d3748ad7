import type { RouteConfigEntry } from '@react-router/dev/routes';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { api } from '../../src/api.server.ts';
import { makePayments } from '../../src/payments.server.ts';
import routes from '../../src/routes.ts';
import { makeTestApp } from '../pages.ts';
import { makeTestPlatform } from '../platform.ts';
import { callAccess, pageAccess, type Access } from './access-table.ts';
import { storeObjects } from './objects.ts';
import { meets, storePeople, type Met, type Person } from './people.ts';

const platform = await makeTestPlatform({ variables: { REFUND_MANAGER_ABOVE: '30.00' } });
const payments = makePayments(platform);
const apps = {
  test: makeTestApp(platform, payments),
  live: makeTestApp({ ...platform, config: { ...platform.config, mode: 'live' } }, payments),
};
const { at, secrets } = await storeObjects(platform);
const people = await storePeople(platform);

type Page = { pattern: string; id: string };

/** Pages by their address, as the framework puts them together. */
function pagesOf(entries: readonly RouteConfigEntry[], above = ''): Page[] {
  return entries.flatMap(({ path, file, id, children }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const page = { pattern, id: id ?? file.replace(/\.\w+$/, '') };
    return [page, ...pagesOf(children ?? [], pattern)];
  });
}
const pages = pagesOf(routes).filter(({ pattern }) => /^\/admin(\/|$)/.test(pattern));
const calls = api(platform, payments)
  .routes.filter(({ path, method }) => /^\/(api\/)?admin(\/|$)/.test(path) && method !== 'ALL')
  .map(({ path, method }) => `${method} ${path}`);

/** The addresses of what is stored under a pattern; a pattern without a parameter is its own. */
function addressesOf(pattern: string): string[] {
  if (!pattern.includes(':')) return [pattern];
  const known = Object.entries(at).find(([start]) => pattern.startsWith(start));
  if (!known) throw new Error(`Nothing is stored under ${pattern}: add it to objects.ts`);
  return known[1].map((values) =>
    values.split(' ').reduce((path, value) => path.replace(/:\w+/, value), pattern),
  );
}

const ask = (person: Person, method: string, path: string) =>
  apps[person.live ? 'live' : 'test'].request(path, {
    method,
    headers: { cookie: person.cookie, accept: 'text/html' },
    ...(method === 'GET' ? {} : { body: path.startsWith('/api/') ? '{}' : new URLSearchParams() }),
  });

/** What an answer comes to; a data answer of a page carries its redirect in its body. */
async function metBy(response: Response, body: string): Promise<Met> {
  const { status } = response;
  const to = response.headers.get('location') ?? (status === 202 ? body : '');
  if (to.includes('/admin/second-factor') || body.includes('second_factor_required')) {
    return 'second factor';
  }
  if (status === 401 || (to !== '' && /\/admin\?next=|"\/admin"|^\/(tr\/)?admin$/.test(to))) {
    return 'sign in';
  }
  return status === 403 ? 'refused' : 'let in';
}

async function expectTurnedAway(person: Person, method: string, path: string, expected: Met) {
  const response = await ask(person, method, path);
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const what = `${person.name}: ${method} ${path} (${response.status})`;
  // The desk's own address shows nobody the form to sign in.
  const isForm = /^(\/tr)?\/admin(\.data)?(\?|$)/.test(path) && expected === 'sign in';
  if (!isForm) expect(await metBy(response, body), what).toBe(expected);
  expect(
    secrets.filter((secret) => body.includes(secret)),
    what,
  ).toEqual([]);
  expect(response.headers.get('content-type') ?? '', what).not.toMatch(/pdf|image|csv/);
}

/** Everything the database holds, as one hash a table: whoever is turned away has changed nothing. */
async function state(): Promise<unknown> {
  const tables = await platform.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const hashes: [string, unknown][] = [];
  for (const { name } of tables.rows) {
    const { rows } = await platform.db.execute(
      sql`select md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash from ${sql.identifier(name)} t`,
    );
    hashes.push([name, rows[0]]);
  }
  return hashes;
}

describe('the table', () => {
  test('names every page of the desk, and no other', () => {
    expect(Object.keys(pageAccess).toSorted()).toEqual(
      [...new Set(pages.map(({ pattern }) => pattern))].toSorted(),
    );
  });

  test('names every call of the staff, and no other', () => {
    expect(Object.keys(callAccess).toSorted()).toEqual([...new Set(calls)].toSorted());
  });
});

/** Every way to ask: method, address, and whom it is for. */
const ways: { method: string; path: string; access: Access }[] = [
  ...pages.flatMap(({ pattern, id }) => {
    const { open, send } = pageAccess[pattern] ?? { open: 'administer', send: 'administer' };
    const paths = addressesOf(pattern);
    return [
      // The framework lets a browser ask for one part of a page alone.
      ...paths.flatMap((path) => [
        { method: 'GET', path, access: open },
        { method: 'GET', path: `${path}.data?_routes=${encodeURIComponent(id)}`, access: open },
      ]),
      ...paths.slice(0, 1).flatMap((path) => [
        { method: 'GET', path: `/tr${path}`, access: open },
        { method: 'GET', path: `${path}.data`, access: open },
        { method: 'POST', path, access: send },
        { method: 'POST', path: `${path}.data`, access: send },
      ]),
    ];
  }),
  ...Object.entries(callAccess).flatMap(([call, access]) => {
    const [method = '', pattern = ''] = call.split(' ');
    return addressesOf(pattern).map((path) => ({ method, path, access }));
  }),
];
const open: Access[] = ['sign_in', 'link', 'own', 'moves', 'none'];

test.each(people)('$name reads and changes nothing that is not for them', async (person) => {
  const before = await state();
  let turnedAway = 0;
  for (const { method, path, access } of ways) {
    const expected = meets(person, access);
    if (expected === 'let in' || access === 'moves' || access === 'none') continue;
    await expectTurnedAway(person, method, path, expected);
    turnedAway += 1;
  }
  expect(await state()).toEqual(before);
  const isWhole = person.role === 'administrator' && (!person.live || person.factor);
  expect(turnedAway > 0).toBe(!isWhole);
});

test.each(people)('what is for everybody shows nothing to $name', async (person) => {
  for (const { method, path, access } of ways) {
    if (!open.includes(access) || (method === 'POST' && path.includes('sign-out'))) continue;
    // Whoever may see the queue meets it again when they send the form to sign in.
    if (/^\/admin(\.data)?$/.test(path) && meets(person, 'view_applications') === 'let in')
      continue;
    const body = await (await ask(person, method, path)).text();
    const found = secrets.filter((secret) => body.includes(secret));
    expect(found, `${method} ${path}`).toEqual([]);
  }
});

test.each(people.filter(({ role }) => role !== null))(
  '$name is let in where the table says so',
  async (person) => {
    for (const { method, path, access } of ways) {
      if (open.includes(access) || meets(person, access) !== 'let in') continue;
      if (path.startsWith('/tr/') || path.includes('.data')) continue;
      // Test mode alone keeps e-mails.
      if (person.live && access === 'view_outbox') continue;
      const response = await ask(person, method, path);
      const what = `${method} ${path} (${response.status})`;
      const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
      if (path.startsWith('/admin/next') || path.startsWith('/admin/search')) continue;
      expect(await metBy(response, body), what).toBe('let in');
      expect(response.status, what).toBeLessThan(500);
    }
  },
);

test.each(['/api/admin/anything', '/api/admin/applications/x/y', '/api/admin'])(
  '%s answers nobody with 401, whether it exists or not',
  async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await apps.test.request(path, { method });
      expect(response.status).toBe(401);
    }
  },
);
