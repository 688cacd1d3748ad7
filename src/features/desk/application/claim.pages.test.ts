import { expect, test } from 'vitest';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { claimApplication, CLAIM_MS, claimHolder } from './claim.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { deskClaim } from '~/features/application/tables.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'D. Kaya' });

const get = (path: string, cookie = aydin.cookie) => app.request(path, { headers: { cookie } });
const post = (path: string, fields: Record<string, string> = {}, cookie = aydin.cookie) =>
  app.request(path, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });
const claims = () => platform.db.select().from(deskClaim).orderBy(deskClaim.applicationId);

test.each(['', '.data'])('a GET of an application%s changes nobody’s claim', async (suffix) => {
  const free = await makeApplication(platform);
  const held = await makeApplication(platform);
  await claimApplication(platform, kaya, held.id);
  const before = await claims();
  platform.clock.advance(1000);
  for (const { number } of [free, held]) {
    expect((await get(`/admin/applications/${number}${suffix}`)).status).toBe(200);
    await get(`/admin/applications/${number}${suffix}`, kaya.cookie);
  }
  await get('/admin/next');
  expect(await claims()).toEqual(before);
});

test.each(['applications', 'insurance-applications'] as const)(
  'the call that scripts send claims an application under %s, and says who has it',
  async (segment) => {
    const kind = segment === 'applications' ? 'visa' : 'insurance';
    const { id, number } = await makeApplication(platform, { kind });
    const path = `/api/admin/${segment}/${number}/claim`;
    const until = new Date(platform.now().getTime() + CLAIM_MS).toISOString();
    const mine = await post(path);
    expect(await mine.json()).toEqual({ claimedBy: null, claimedUntil: until, assigned: false });
    expect(await claimHolder(platform, aydin, id)).toEqual({
      name: null,
      until: new Date(until),
      isAssigned: false,
    });
    const theirs = await post(path, {}, kaya.cookie);
    expect(await theirs.json()).toEqual({
      claimedBy: 'E. Aydın',
      claimedUntil: until,
      assigned: false,
    });
  },
);

test('nobody claims what is decided or of another kind', async () => {
  const { id, number } = await makeApplication(platform);
  expect((await post(`/api/admin/insurance-applications/${number}/claim`)).status).toBe(404);
  const fields = { intent: 'reject', reasonCode: 'other', reason: 'The photo is of a cat.' };
  const planned = await post(`/admin/applications/${number}`, fields);
  await post(planned.headers.get('location') ?? '');
  const answer = await post(`/api/admin/applications/${number}/claim`);
  expect(await answer.json()).toEqual({ claimedBy: null, claimedUntil: null, assigned: false });
  expect(await claimHolder(platform, aydin, id)).toBeNull();
});

test('opening claims nothing for any role; a press does, but not what somebody else has', async () => {
  const { id, number } = await makeApplication(platform);
  const page = `/admin/applications/${number}`;
  for (const role of ['reviewer', 'manager', 'administrator'] as const) {
    const one = await storeStaff(platform, { role });
    expect(await (await get(page, one.cookie)).text()).toContain('value="claim"');
    expect(await claimHolder(platform, one, id)).toBeNull();
  }
  const taken = await post(page, { intent: 'claim' });
  expect(taken.headers.get('location')).toContain('done=taken');
  expect((await claimHolder(platform, aydin, id))?.name).toBeNull();
  expect(await (await get(page)).text()).not.toContain('value="claim"');
  const refused = await post(page, { intent: 'claim' }, kaya.cookie);
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain('E. Aydın');
});

test.each([
  ['start_processing', {}],
  ['approve', {}],
  ['reject', { reasonCode: 'other', reason: 'The photo is of a cat.' }],
] as const)('who sends the form to %s is at work on it', async (intent, fields) => {
  const { id, number } = await makeApplication(platform);
  expect((await post(`/admin/applications/${number}`, { intent, ...fields })).status).toBe(302);
  expect(await claimHolder(platform, kaya, id)).toMatchObject({ name: 'E. Aydın' });
});

test('what is refused claims nothing', async () => {
  const { id, number } = await makeApplication(platform);
  expect((await post(`/admin/applications/${number}`, { intent: 'reject' })).status).toBe(422);
  expect(await claimHolder(platform, aydin, id)).toBeNull();
});

test('the desk has no “Start processing” for an insurance, and refuses the form', async () => {
  const { id, number } = await makeApplication(platform, { kind: 'insurance' });
  const page = `/admin/applications/${number}`;
  expect(await (await get(page)).text()).not.toContain('value="start_processing"');
  const refused = await post(page, { intent: 'start_processing' });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain('Only visa applications are sent to the authorities');
  expect(await applicationById(platform.db, id)).toMatchObject({ status: 'pending' });
});
