import { expect, test } from 'vitest';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { placeOf } from '../src/features/staff/refused-access.server.ts';
import { auditEntriesOf } from '../src/features/staff/store.server.ts';
import { makeApplication } from './make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const refund = 'c0ffee00-0000-4000-8000-000000000000';

async function refusals(id: string) {
  const trail = await auditEntriesOf(platform.db, { kind: 'account', id });
  return trail
    .filter(({ action }) => action === 'access_refused')
    .map(({ staffId, detail }) => ({ staffId, ...detail }));
}

test('a refused page, its data and a refused call are in the audit trail, each once a minute', async () => {
  const { id, cookie } = await storeStaff(platform);
  const { number } = await makeApplication(platform);
  const ask = (path: string, method = 'GET') => app.request(path, { method, headers: { cookie } });
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
  expect(await refusals(id)).toEqual([{ staffId: id, method: 'POST', place: '/admin/orders/:id' }]);
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
  expect(placeOf(path)).toBe(place);
});
