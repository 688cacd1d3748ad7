import { api } from '../../src/app/api.server.ts';
import { makePayments } from '../../src/app/composition/payments.server.ts';
import { auditEntry } from '../../src/features/staff/tables.server.ts';
import routes from '../../src/routes.ts';
import { makeTestApp } from '../pages.ts';
import { makeTestPlatform } from '../platform.ts';
import { callAccess, formAccess, pageAccess, type Access } from './access-table.ts';
import { storeObjects } from './objects.ts';
import { routePages } from '../routes-and-calls.ts';
import { storePeople, type AccessResult, type MatrixPerson } from './people.ts';
import { watchWrites } from './written-tables.ts';

/** Concurrent requests: while one waits for the database, another is answered. */
const AT_ONCE = 6;

/** One request: method, address, and who may make it; the form, and who may see the page that answers a refusal. */
export type Way = {
  method: string;
  path: string;
  access: Access;
  form?: Record<string, string>;
  shown?: Access;
  /** A further object of a page that is rendered with another one. */
  isFurther?: boolean;
};

export const wayName = ({ method, path, form }: Way) =>
  `${method} ${path}${form?.intent ? ` (${form.intent})` : ''}`;

export const open: Access[] = ['sign_in', 'link', 'own', 'moves', 'none'];

/** Makes all these requests, a few at a time. */
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

/** The result of an answer; a page's data answer has its redirect in the body. */
export async function accessResult(response: Response, body: string): Promise<AccessResult> {
  const { status } = response;
  const to = response.headers.get('location') ?? (status === 202 ? body : '');
  if (to.includes('/admin/second-factor') || body.includes('second_factor_required')) {
    return 'second factor';
  }
  if (status === 401 || (to !== '' && /\/admin\?next=|"\/admin"|^\/(tr\/)?admin$/.test(to))) {
    return 'sign in';
  }
  return status === 403 ? 'refused' : 'allowed';
}

/**
 * All people, all objects of the desk, and all requests for them. Two test files use it, so that they run on two
 * processors: who is refused, and who is allowed. Call it at the top of a test file.
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
  const pages = routePages(routes).filter(({ pattern }) => /^\/admin(\/|$)/.test(pattern));
  const calls = api(platform, payments)
    .routes.filter(({ path, method }) => /^\/(api\/)?admin(\/|$)/.test(path) && method !== 'ALL')
    .map(({ path, method }) => `${method} ${path}`);

  /** The addresses of a pattern's stored objects; without parameters the pattern itself. */
  function addressesOf(pattern: string): string[] {
    if (!pattern.includes(':')) return [pattern];
    const known = Object.entries(at).find(([start]) => pattern.startsWith(start));
    if (!known) throw new Error(`Nothing is stored under ${pattern}: add it to objects.ts`);
    return known[1].map((values) =>
      values.split(' ').reduce((path, value) => path.replace(/:\w+/, value), pattern),
    );
  }

  async function ask(person: MatrixPerson, { method, path, form = {} }: Way): Promise<Response> {
    const answer = await apps[person.live ? 'live' : 'test'].request(path, {
      method,
      headers: { cookie: person.cookie, accept: 'text/html' },
      ...(method !== 'GET' && {
        body: path.startsWith('/api/') ? '{}' : new URLSearchParams(form),
      }),
    });
    if (answer.headers.get('content-type') !== 'text/event-stream') return answer;
    // It would never end.
    await answer.body?.cancel();
    return new Response(null, answer);
  }

  /** The tables written since it was last called. */
  const written = await watchWrites(platform.pool);

  /** Starts recording audit entries; the returned function gives those added since. */
  async function newEntries() {
    await platform.pool.query('delete from rate_limit');
    const read = () => platform.db.select().from(auditEntry);
    const last = Math.max(0, ...(await read()).map(({ id }) => id));
    return async () => (await read()).filter(({ id }) => id > last);
  }

  /** Every request. */
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
          // The framework lets a browser request one part of a page.
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

  return {
    apps,
    people,
    pages,
    calls,
    ways,
    fields,
    secrets,
    addressesOf,
    ask,
    written,
    newEntries,
  };
}
