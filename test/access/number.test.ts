import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { api } from '~/app/api.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { order as orderTable } from '~/features/order/tables.server.ts';
import { attemptById, attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import routes from '~/routes.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { deskPlaceByPath } from '~/features/staff/refused-access.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../pages.ts';
import { purchases } from '../purchases.ts';
import { startTestService } from '../service.ts';
import { makeInsurance, makeApplication } from '../make.ts';
import { needed } from '../needed.ts';
import { makeTestPlatform } from '../platform.ts';
import { callRows, pageRows, type NumberRow } from './number-table.ts';
import { routePages } from '../routes-and-calls.ts';
import { watchWrites } from './written-tables.ts';

describe('number', async () => {
  const service = await startTestService({ variables: { TRUST_PROXY: 'yes' } });
  const { platform, payments } = service;
  const { db } = platform;
  await seedAll(db, seeders, platform.now());
  const app = makeTestApp(platform, payments);
  const { payer, start, pay, comeBack } = purchases(service);

  const PASSPORT = 'CANARY77Q';
  /** Never told to anybody without the payer's cookie. */
  const secrets = [
    'Payersson',
    'payer.canary',
    '+905550001122',
    PASSPORT,
    'Motherbird',
    'Birthvale',
    // Of the insurance.
    'sofia.hernandez@',
    'G38215640',
    '33 1234 5678',
  ];
  const traveller = 'Tessaly';

  /** An order whose payer is not the traveller; all texts are distinct. */
  async function place() {
    const placed = await makeApplication(platform, {
      paid: false,
      firstName: traveller,
      lastName: 'Birdwing',
      email: 'payer.canary@example.org',
      phone: '+905550001122',
      sessionHash: payer.sessionHash,
    });
    const { id } = placed;
    await db
      .update(visaApplication)
      .set({
        motherName: 'Motherbird',
        placeOfBirth: 'Birthvale',
        passportNumber: platform.sealer.seal(PASSPORT, `visa_application.passport_number:${id}`),
      })
      .where(eq(visaApplication.applicationId, id));
    await db
      .update(orderTable)
      .set({ customerName: 'Pia Payersson', customerEmail: 'payer.canary@example.org' })
      .where(eq(orderTable.id, placed.order.id));
    return needed(await orderByNumber(db, placed.order.number));
  }

  const unpaid = await place();
  const open = await start(unpaid);
  const paid = await place();
  const paying = await start(paid);
  await comeBack(await pay(paying));
  const insured = await makeInsurance(platform, { firstName: traveller, paid: true });
  await service.runJobs();
  const written = await watchWrites(platform.pool);

  /** What somebody knows, and the number of its order. */
  const known = {
    number: [unpaid, paid, insured].map(({ number }) => ({ word: number, of: number })),
    attempt: [
      { word: open, of: unpaid.number },
      { word: paying, of: paid.number },
      { word: needed((await attemptById(db, paying))?.providerReference), of: paid.number },
    ],
  };

  const pages = routePages(routes).filter(({ pattern }) => !/^\/admin(\/|$)/.test(pattern));
  const calls = api(platform, payments)
    .routes.filter(({ path, method }) => method !== 'ALL' && !/^\/(api\/)?admin|\*$/.test(path))
    .map(({ method, path }) => `${method} ${path}`);

  const takesForms = ({ file }: { file: string }) =>
    /export (async function|const|\{[^}]*) ?action\b/.test(
      readFileSync(join(projectRoot, 'src', file), 'utf8'),
    );

  type Way = { name: string; method: string; path: string; body?: BodyInit; json?: boolean };

  /** Every request that takes a text, filled with what is known. */
  function waysOf(word: string): (Way & { row: NumberRow })[] {
    const query = new URLSearchParams(
      [
        'ref',
        'order',
        'orderReference',
        'payment',
        'transaction',
        'token',
        'data',
        'id',
        'state',
      ].map((name) => [name, word]),
    );
    const fill = (pattern: string) =>
      pattern.replaceAll(/:\w+(\{[^}]*\})?/g, word).replace('*', word);
    const form = () =>
      new URLSearchParams([
        ...query,
        ['provider', 'card'],
        ['intent', 'cancel'],
        ['dateOfBirth-day', '1'],
      ]);
    const ofPages = pages
      .filter(({ pattern }, index) => pages.findIndex((one) => one.pattern === pattern) === index)
      .flatMap((page) => {
        const row = needed(pageRows[page.pattern]);
        const address = fill(page.pattern) || '/';
        const ways = [
          { method: 'GET', path: `${address}?${query}` },
          { method: 'GET', path: `${address}?${query}`, accept: 'application/json' },
          ...(pages.some((one) => one.pattern === page.pattern && takesForms(one))
            ? [{ method: 'POST', path: `${address}?${query}`, body: form() }]
            : []),
        ];
        return ways.map((way) => ({ ...way, row, name: `${way.method} ${page.pattern}` }));
      });
    const ofCalls = [...new Set(calls)].flatMap((call) => {
      const [method = '', pattern = ''] = call.split(' ');
      const names = ['orderReference', 'orderId', 'payload', 'id'].map((name) => [name, word]);
      const body = { amount: '94.00', dateOfBirth: '1900-01-01', ...Object.fromEntries(names) };
      const path = fill(pattern.replace(':provider', 'card'));
      // Described calls refuse a query that they do not know.
      return [path, `${path}?${query}`].map((one) => ({
        name: call,
        row: needed(callRows[call]),
        method,
        path: one,
        ...(method !== 'GET' && { body: JSON.stringify(body), json: true }),
      }));
    });
    return [...ofPages, ...ofCalls];
  }

  /** Requests with the same row, several at a time, because what each group has written is read once. */
  function groupsOf<T extends { row: NumberRow }>(ways: readonly T[], most = 6): T[][] {
    const byRow = [...Map.groupBy(ways, ({ row }) => row).values()];
    return byRow.flatMap((same) =>
      Array.from({ length: Math.ceil(same.length / most) }, (_, index) =>
        same.slice(index * most, (index + 1) * most),
      ),
    );
  }

  let visitors = 0;

  async function ask({ method, path, body, json }: Way): Promise<{ status: number; said: string }> {
    visitors += 1;
    const response = await app.request(path, {
      method,
      headers: {
        origin: 'http://localhost',
        'x-forwarded-for': `198.51.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}`,
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const location = response.headers.get('location') ?? '';
    const said = Buffer.from(await response.arrayBuffer()).toString('latin1');
    return { status: response.status, said: `${location}\n${said}` };
  }

  /** Tables that every request may change; they say nothing about an order. */
  const ALWAYS = ['rate_limit'];

  test('every page and call outside the desk has a row, and every row is one', () => {
    const patterns = [...new Set(pages.map(({ pattern }) => pattern))];
    expect(patterns.filter((pattern) => !(pattern in pageRows))).toEqual([]);
    expect(Object.keys(pageRows).filter((pattern) => !patterns.includes(pattern))).toEqual([]);
    expect([...new Set(calls)].filter((call) => !(call in callRows))).toEqual([]);
    expect(Object.keys(callRows).filter((call) => !calls.includes(call))).toEqual([]);
  });

  test('the words that are looked for are there, for the payer', async () => {
    const shown = await app.request(`/payment-success?order=${paid.number}`, {
      headers: { cookie: payer.cookie },
    });
    expect(await shown.text()).toContain('payer.canary');
    const [row] = await db.select().from(application).where(eq(application.number, paid.number));
    expect(row?.phone).toBe('+905550001122');
  });

  describe.each([
    ['the number', 'number'],
    ["an attempt's id", 'attempt'],
  ] as const)('who knows only %s', (_, what) => {
    test(
      'learns and changes what the table says, and nothing else',
      { timeout: 180_000 },
      async () => {
        const orders = async () => [
          await db
            .select()
            .from(orderTable)
            .where(eq(orderTable.lab, false))
            .orderBy(orderTable.id),
          await db.select().from(application).orderBy(application.id),
          await attemptById(db, open),
          await attemptById(db, paying),
        ];
        const before = await orders();
        await written();
        const faults: string[] = [];
        const tellers = new Set<string>();
        for (const { word, of } of known[what]) {
          for (const group of groupsOf(waysOf(word))) {
            const { learns, changes } = needed(group[0]).row[what];
            const tell = async (way: Way) => {
              const { status, said } = await ask(way);
              const told = secrets.filter((secret) => said.includes(secret));
              if (said.includes(traveller)) {
                if (learns.includes('traveller')) tellers.add(way.name);
                else told.push(traveller);
              }
              // The status is only told by the number: an attempt's id leads to no number.
              if (!learns.includes('status') && word !== of && said.includes(of)) told.push(of);
              if (status === 429 || status >= 500) faults.push(`${way.name}: ${status}`);
              if (told.length > 0) faults.push(`${way.name} tells ${told.join()}`);
            };
            await Promise.all(group.map(tell));
            const changed = (await written()).filter(
              (table) => ![...ALWAYS, ...changes].includes(table),
            );
            const names = group.map(({ name }) => name).join(' or ');
            if (changed.length > 0) faults.push(`${names} changes ${changed.join()}`);
          }
        }
        expect([...new Set(faults)]).toEqual([]);
        // Checks that the search above can find something.
        expect(tellers.has('GET /status')).toBe(what === 'number');
        expect(await orders()).toEqual(before);
        // Attempts begun are a guest's, and contain no name.
        const begun = (await attemptsByReference(db, unpaid.number)).filter(
          ({ id }) => id !== open,
        );
        expect(begun.every(({ begunBy }) => begunBy === 'guest')).toBe(true);
        if (what === 'number') expect(begun.length).toBeGreaterThan(3);
      },
    );
  });
});

describe('refused access', async () => {
  const platform = await makeTestPlatform();
  const app = makeTestApp(platform);
  const refund = 'c0ffee00-0000-4000-8000-000000000000';

  async function refusals(id: string) {
    const trail = await auditEntriesBySubject(platform.db, { kind: 'account', id });
    return trail
      .filter(({ action }) => action === 'access_refused')
      .map(({ staffId, detail }) => ({ staffId, ...detail }));
  }

  test('a refused page, its data and a refused call are in the audit trail, each once a minute', async () => {
    const { id, cookie } = await storeStaff(platform);
    const { number } = await makeApplication(platform);
    const ask = (path: string, method = 'GET') =>
      app.request(path, { method, headers: { cookie } });
    for (const path of ['/admin/accounts', '/tr/admin/accounts', '/admin/accounts.data?x=Canary']) {
      expect((await ask(path)).status).toBe(403);
    }
    for (let times = 0; times < 3; times += 1) {
      expect((await ask(`/api/admin/refunds/${refund}/release`, 'POST')).status).toBe(403);
    }
    expect((await ask(`/admin/applications/${number}`)).status).toBe(200);
    expect((await ask('/admin/applications/unknown')).status).toBe(404);
    expect(await refusals(id)).toEqual([
      { staffId: id, method: 'GET', place: '/admin/accounts' },
      { staffId: id, method: 'POST', place: '/api/admin/refunds/:id/release' },
    ]);
  });

  test('a refused form is in the audit trail, too', async () => {
    const { id, cookie } = await storeStaff(platform);
    const { number } = await makeApplication(platform);
    const body = new URLSearchParams({ intent: 'release', refund });
    const path = `/admin/orders/${number}`;
    const response = await app.request(path, { method: 'POST', headers: { cookie }, body });
    expect(response.status).toBe(403);
    expect(await refusals(id)).toEqual([
      { staffId: id, method: 'POST', place: '/admin/orders/:id' },
    ]);
  });

  test('nobody fills the trail: twenty entries a minute for a person', async () => {
    const { id, cookie } = await storeStaff(platform);
    for (let index = 0; index < 26; index += 1) {
      const word = String.fromCodePoint(97 + index);
      const path = `/admin/settings/countries/${word}`;
      const response = await app.request(path, { headers: { cookie } });
      expect(response.status).toBe(403);
    }
    expect(await refusals(id)).toHaveLength(20);
  });

  test('a stranger and a request from elsewhere leave no entry', async () => {
    const { id, cookie } = await storeStaff(platform);
    const headers = { cookie, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const path = `/api/admin/refunds/${refund}/release`;
    expect((await app.request(path, { method: 'POST', headers })).status).toBe(403);
    expect((await app.request(path, { method: 'POST' })).status).toBe(401);
    expect(await refusals(id)).toEqual([]);
  });

  test.each([
    ['/admin', '/admin'],
    ['/ar/admin/settings/countries/DZA', '/admin/settings/countries/:id'],
    ['/apply', null],
    ['/administrators', null],
  ])('%s is %s', (path, place) => {
    expect(deskPlaceByPath(path)).toBe(place);
  });
});
