import { expect, test } from 'vitest';
import { applicationById } from '~/features/application/store.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { DEFAULT_UNDO_SECONDS } from '~/features/staff/staff.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const demir = await storeStaff(platform, { name: 'K. Demir' });

/** As a browser that has just decided something. */
const get = async (path: string, { cookie } = aydin) =>
  (await app.request(path, { headers: { cookie: `${cookie}; lale_desk_undo=1` } })).text();
async function post(path: string, fields: Record<string, string>, cookie = aydin.cookie) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const answer = await app.request(path, { method: 'POST', headers: { cookie }, body });
  return answer.headers.get('location') ?? '';
}

/** Rejects it by the pages, and returns the id of the decision that they offer to undo. */
async function rejected(number: string): Promise<string> {
  const fields = { intent: 'reject', seen: 'pending', reasonCode: 'duplicate', reason: 'Twice.' };
  const at = await post(`/admin/applications/${number}`, fields);
  expect(await post(at, {})).toContain('done=rejected');
  return offered(await get('/admin')) ?? '';
}
const offered = (html: string) => /<input[^>]*name="decision"[^>]*value="([\w-]+)"/.exec(html)?.[1];

test('every page of the desk offers to undo what one has just decided, to oneself alone', async () => {
  const { number } = await makeApplication(platform);
  const id = await rejected(number);
  expect(id).not.toBe('');
  const other = await makeApplication(platform, { firstName: 'Nomsa' });
  for (const path of [`/admin/applications/${other.number}`, '/admin/account', '/admin']) {
    expect(await get(path)).toContain('Rejected: Naidoo, Thabo');
  }
  expect(await get('/admin')).toContain('The email will be sent in 10 seconds.');
  expect(offered(await get('/admin', demir))).toBeUndefined();
  platform.clock.advance(DEFAULT_UNDO_SECONDS * 1000);
  expect(offered(await get('/admin'))).toBeUndefined();
});

test('undoing opens the application with the reason and the words that were sent', async () => {
  const { id, number } = await makeApplication(platform);
  const list = '?tab=visa&show=hand_in';
  const to = await post('/admin/undo', { decision: await rejected(number), list });
  expect(to).toMatch(
    new RegExp(`^/admin/applications/${number}\\?tab=visa&show=hand_in&done=undone&draft=`),
  );
  const page = await get(to.replace('#application', '&reject'));
  expect(page).toContain('Undone. No email was sent.');
  expect(page).toContain('Twice.');
  expect(await applicationById(platform.db, id)).toMatchObject({ status: 'pending' });
  expect(offered(await get('/admin'))).toBeUndefined();
});

test('too late, it says so and changes nothing; somebody else’s is not even named', async () => {
  const { id, number } = await makeApplication(platform);
  const decision = await rejected(number);
  expect(await post('/admin/undo', { decision }, demir.cookie)).toBe('/admin');
  platform.clock.advance(DEFAULT_UNDO_SECONDS * 1000);
  const to = await post('/admin/undo', { decision });
  expect(await get(to.replace('#application', ''))).toContain(
    'It is too late to undo this decision',
  );
  expect(await applicationById(platform.db, id)).toMatchObject({ status: 'rejected' });
});

test('each person chooses how long they can undo; what is none of the choices is refused', async () => {
  const slow = await storeStaff(platform);
  const choose = (undoSeconds: string) =>
    app.request('/admin/account', {
      method: 'POST',
      headers: { cookie: slow.cookie },
      body: new URLSearchParams({ intent: 'undo', undoSeconds }),
    });
  expect((await choose('20')).status).toBe(422);
  expect(await (await choose('600')).text()).toMatch(
    /<input(?=[^>]*name="undoSeconds")(?=[^>]*value="600")(?=[^>]*checked="")/,
  );
  const { number } = await makeApplication(platform, { firstName: 'Zanele' });
  const body = new URLSearchParams({ intent: 'start_processing', seen: 'pending' });
  const decided = await app.request(`/admin/applications/${number}`, {
    method: 'POST',
    headers: { cookie: slow.cookie },
    body,
  });
  expect(decided.headers.get('set-cookie')).toMatch(/lale_desk_undo=.*Max-Age=600/);
  platform.clock.advance(8 * 60_000 + 30_000);
  expect(await get('/admin', slow)).toContain('The email will be sent in 2 minutes.');
  platform.clock.advance(90_000);
  expect(offered(await get('/admin', slow))).toBeUndefined();
});
