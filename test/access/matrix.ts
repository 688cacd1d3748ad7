import { api } from '../../src/app/api.server.ts';
import { makePayments } from '../../src/app/composition/payments.server.ts';
import { auditEntry } from '../../src/features/staff/tables.server.ts';
import routes from '../../src/routes.ts';
import { makeTestApp } from '../pages.ts';
import { makeTestPlatform } from '../platform.ts';
import { callAccess, formAccess, pageAccess, type Access } from './access-table.ts';
import { databaseState } from './database-state.ts';
import { storeObjects } from './objects.ts';
import { pagesOf } from './pages-of.ts';
import { storePeople, type Met, type Person } from './people.ts';

/** Requests at a time: while one waits for the database, another one is answered. */
const AT_ONCE = 6;

/**
 * One way to ask: method, address, and whom it is for; what a form carries, and who may see the page that answers when
 * it is refused.
 */
export type Way = {
  method: string;
  path: string;
  access: Access;
  form?: Record<string, string>;
  shown?: Access;
  /** One more object of a page that is drawn with another one. */
  isFurther?: boolean;
};

export const nameOf = ({ method, path, form }: Way) =>
  `${method} ${path}${form?.intent ? ` (${form.intent})` : ''}`;

export const open: Access[] = ['sign_in', 'link', 'own', 'moves', 'none'];

/** Asks in all these ways, a few at a time. */
export async function inTurns(
  list: readonly Way[],
  work: (way: Way) => Promise<void>,
): Promise<void> {
  const waiting = list.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const way of waiting) await work(way);
    }),
  );
}

/** What an answer comes to; a data answer of a page carries its redirect in its body. */
export async function metBy(response: Response, body: string): Promise<Met> {
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

/**
 * Everybody, everything that the desk keeps, and every way to ask for it. Two files ask, so that two processors do: whom
 * the table turns away, and whom it lets in. Call it at the top of a test file.
 */
export async function openMatrix() {
  const platform = await makeTestPlatform({ variables: { REFUND_MANAGER_ABOVE: '30.00' } });
  const payments = makePayments(platform);
  const apps = {
    test: makeTestApp(platform, payments),
    live: makeTestApp({ ...platform, config: { ...platform.config, mode: 'live' } }, payments),
  };
  const { at, fields, secrets } = await storeObjects(platform);
  const people = await storePeople(platform);
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

  const ask = (person: Person, { method, path, form = {} }: Way) =>
    apps[person.live ? 'live' : 'test'].request(path, {
      method,
      headers: { cookie: person.cookie, accept: 'text/html' },
      ...(method !== 'GET' && {
        body: path.startsWith('/api/') ? '{}' : new URLSearchParams(form),
      }),
    });

  const state = () => databaseState(platform.db);

  /** Answers later what has been written into the audit trail since; nobody has been refused anything before. */
  async function newEntries() {
    await platform.pool.query('delete from rate_limit');
    const read = () => platform.db.select().from(auditEntry);
    const last = Math.max(0, ...(await read()).map(({ id }) => id));
    return async () => (await read()).filter(({ id }) => id > last);
  }

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

  return { apps, people, pages, calls, ways, fields, secrets, addressesOf, ask, state, newEntries };
}
