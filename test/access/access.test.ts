import type { RouteConfigEntry } from '@react-router/dev/routes';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { api } from '../../src/api.server.ts';
import { makePayments } from '../../src/payments.server.ts';
import routes from '../../src/routes.ts';
import { makeTestApp } from '../pages.ts';
import { makeTestPlatform } from '../platform.ts';
import { callAccess, formAccess, pageAccess, type Access } from './access-table.ts';
import { intentsOf } from './intents.ts';
import { storeObjects } from './objects.ts';
import { meets, storePeople, type Met, type Person } from './people.ts';

/** Requests at a time: while one waits for the database, another one is answered. */
const AT_ONCE = 6;

const platform = await makeTestPlatform({ variables: { REFUND_MANAGER_ABOVE: '30.00' } });
const payments = makePayments(platform);
const apps = {
  test: makeTestApp(platform, payments),
  live: makeTestApp({ ...platform, config: { ...platform.config, mode: 'live' } }, payments),
};
const { at, fields, secrets } = await storeObjects(platform);
const people = await storePeople(platform);

type Page = { pattern: string; id: string; file: string };

/** Pages by their address, as the framework puts them together. */
function pagesOf(entries: readonly RouteConfigEntry[], above = ''): Page[] {
  return entries.flatMap(({ path, file, id, children }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const page = { pattern, file, id: id ?? file.replace(/\.\w+$/, '') };
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

/**
 * One way to ask: method, address, and whom it is for; what a form carries, and who may see the page that answers when
 * it is refused.
 */
type Way = {
  method: string;
  path: string;
  access: Access;
  form?: Record<string, string>;
  shown?: Access;
  /** One more object of a page that is drawn with another one. */
  isFurther?: boolean;
};

const nameOf = ({ method, path, form }: Way) =>
  `${method} ${path}${form?.intent ? ` (${form.intent})` : ''}`;

const ask = (person: Person, { method, path, form = {} }: Way) =>
  apps[person.live ? 'live' : 'test'].request(path, {
    method,
    headers: { cookie: person.cookie, accept: 'text/html' },
    ...(method !== 'GET' && {
      body: path.startsWith('/api/') ? '{}' : new URLSearchParams(form),
    }),
  });

/** Asks in all these ways, a few at a time. */
async function inTurns(list: readonly Way[], work: (way: Way) => Promise<void>): Promise<void> {
  const waiting = list.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const way of waiting) await work(way);
    }),
  );
}

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

/** Whether a refused form is answered by a page that this person may open anyway. */
const mayRead = (person: Person, { shown }: Way): boolean =>
  shown !== undefined && meets(person, shown) === 'let in';

async function expectTurnedAway(person: Person, way: Way, expected: Met) {
  const response = await ask(person, way);
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const what = `${person.name}: ${nameOf(way)} (${response.status})`;
  // The desk's own address shows nobody the form to sign in.
  const isForm = /^(\/tr)?\/admin(\.data)?(\?|$)/.test(way.path) && expected === 'sign in';
  if (!isForm) expect(await metBy(response, body), what).toBe(expected);
  const found = mayRead(person, way) ? [] : secrets.filter((secret) => body.includes(secret));
  expect(found, what).toEqual([]);
  expect(response.headers.get('content-type') ?? '', what).not.toMatch(/pdf|image|csv/);
}

/** Everything the database holds, as one hash a table: whoever is turned away has changed nothing. */
async function state(): Promise<(readonly [table: string, hash: string])[]> {
  const tables = await platform.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const hashes = tables.rows.map(
    ({ name }) => sql`select ${name}::text as name,
      md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash
      from ${sql.identifier(name)} t`,
  );
  const { rows } = await platform.db.execute<{ name: string; hash: string }>(
    sql.join(hashes, sql` union all `),
  );
  return rows.map(({ name, hash }) => [name, hash] as const).toSorted();
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

  test.each(pages)('names every form of $pattern, and no other', ({ pattern, file }) => {
    expect(Object.keys(formAccess[pattern] ?? {}).toSorted()).toEqual(
      [...intentsOf(file)].toSorted(),
    );
  });
});

/** Every way to ask. */
const ways: Way[] = [
  ...pages.flatMap(({ pattern, id }) => {
    const { open, send } = pageAccess[pattern] ?? { open: 'administer', send: 'administer' };
    const paths = addressesOf(pattern);
    return [
      ...paths.map((path, index) => ({
        method: 'GET',
        path,
        access: open,
        isFurther: index > 0,
      })),
      ...paths.slice(0, 1).flatMap((path) => [
        // The framework lets a browser ask for one part of a page alone.
        { method: 'GET', path: `${path}.data?_routes=${encodeURIComponent(id)}`, access: open },
        { method: 'GET', path: `/tr${path}`, access: open },
        { method: 'GET', path: `${path}.data`, access: open },
        { method: 'POST', path, access: send },
        { method: 'POST', path: `${path}.data`, access: send },
      ]),
      ...Object.entries(formAccess[pattern] ?? {}).flatMap(([intent, access]) => {
        const [path = pattern] = paths;
        const way = { method: 'POST', access, form: { ...fields, intent }, shown: open };
        return [
          { ...way, path },
          { ...way, path: `${path}.data` },
        ];
      }),
    ];
  }),
  ...Object.entries(callAccess).flatMap(([call, access]) => {
    const [method = '', pattern = ''] = call.split(' ');
    return addressesOf(pattern).map((path) => ({ method, path, access }));
  }),
];
const open: Access[] = ['sign_in', 'link', 'own', 'moves', 'none'];

test.each(people)('$name reads and changes nothing that is not for them', async (person) => {
  const closed = ways.filter(
    ({ access }) => meets(person, access) !== 'let in' && access !== 'moves' && access !== 'none',
  );
  const turnAway = (some: readonly Way[]) =>
    inTurns(some, (way) => expectTurnedAway(person, way, meets(person, way.access)));
  const turnedAway = closed.length;
  const before = await state();
  await turnAway(closed.filter((way) => !mayRead(person, way)));
  expect(await state()).toEqual(before);

  // Who may open the page meets it again with the refusal: that they saw it is written down, and nothing else.
  const seeing = ['audit_entry', 'desk_claim'];
  const rest = (all: typeof before) => all.filter(([table]) => !seeing.includes(table));
  await turnAway(closed.filter((way) => mayRead(person, way)));
  expect(rest(await state())).toEqual(rest(before));
  const isWhole = person.role === 'administrator' && (!person.live || person.factor);
  expect(turnedAway > 0).toBe(!isWhole);
});

test.each(people)('what is for everybody shows nothing to $name', async (person) => {
  await inTurns(ways, async (way) => {
    const { method, path, access } = way;
    if (!open.includes(access) || (method === 'POST' && path.includes('sign-out'))) return;
    // Whoever may see the queue meets it again when they send the form to sign in.
    if (/^\/admin(\.data)?$/.test(path) && meets(person, 'view_applications') === 'let in') return;
    const body = await (await ask(person, way)).text();
    const found = secrets.filter((secret) => body.includes(secret));
    expect(found, nameOf(way)).toEqual([]);
  });
});

test.each(people.filter(({ role }) => role !== null))(
  '$name is let in where the table says so',
  async (person) => {
    await inTurns(ways, async (way) => {
      const { path, access, form, isFurther } = way;
      if (open.includes(access) || meets(person, access) !== 'let in') return;
      // A page is drawn once; what its forms and its further objects answer is asked for as data. Drawing it each time
      // took most of the time.
      const isData = path.includes('.data');
      if (path.startsWith('/tr/') || isData !== (form?.intent !== undefined)) return;
      // Test mode alone keeps e-mails.
      if (person.live && access === 'view_outbox') return;
      // Without an object nothing is done, and nobody is refused for it.
      const asked = isFurther ? { ...way, path: `${path}.data` } : way;
      const bare = form?.intent ? { ...asked, form: { intent: form.intent } } : asked;
      const response = await ask(person, bare);
      const what = `${nameOf(way)} (${response.status})`;
      const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
      if (path.startsWith('/admin/next') || path.startsWith('/admin/search')) return;
      expect(await metBy(response, body), what).toBe('let in');
      expect(response.status, what).toBeLessThan(500);
    });
  },
);

test.each(people.filter(({ role, live }) => role !== null && !live))(
  '$name does not end somebody else’s session, nor touch their note',
  async (person) => {
    const theirs = async () =>
      (await state()).filter(([table]) => table === 'staff_session' || table === 'desk_note');
    const before = await theirs();
    expect(before).toHaveLength(2);
    for (const [path, intent] of [
      ['/admin/account', 'session'],
      [addressesOf('/admin/applications/:number')[0], 'edit_note'],
    ] as const) {
      if (!path) continue;
      const form = { ...fields, intent };
      await ask(person, { method: 'POST', path, access: 'view_applications', form });
    }
    expect(await theirs()).toEqual(before);
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
