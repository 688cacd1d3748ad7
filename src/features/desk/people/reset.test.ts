import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
const app = makeTestApp(platform);

const address = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 254) + 1).join('.')}`;
const post = (path: string, fields: Record<string, string>, cookie = '') =>
  app.request(path, {
    method: 'POST',
    headers: { cookie, 'x-forwarded-for': address() },
    body: new URLSearchParams(fields),
  });
const get = (path: string, cookie = '') =>
  app.request(path, { headers: { cookie, 'x-forwarded-for': address() } });

/** The page without the nonce of its policy, which differs on every page. */
async function plain(response: Response) {
  const headers = Object.fromEntries(response.headers);
  delete headers['content-security-policy'];
  const html = (await response.text()).replaceAll(/nonce="[^"]*"/g, '');
  return { status: response.status, headers, html };
}

test('from the sign-in page to a new password, by forms and a link in an e-mail alone', async () => {
  const staff = await storeStaff(platform);
  expect(await (await get('/admin')).text()).toContain('href="/admin/forgotten"');
  expect(await (await get('/admin/forgotten')).text()).toContain('name="email"');
  const asked = await post('/admin/forgotten', { email: staff.email });
  expect(asked.status).toBe(200);
  expect(await asked.text()).toContain('a link is on its way');
  await platform.runJobs(emailJobs(platform));
  const mail = platform.sent.at(-1);
  expect(mail?.to).toBe(staff.email);
  const link = /https?:\/\/[^/]+(\/\w+\/admin\/reset\/[\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

  const page = await get(link);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(await page.text()).toContain('autoComplete="new-password"');
  const refused = await post(link, { password: 'Password1234567' });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('common or easy to guess');
  const done = await post(link, { password: 'seven quiet lanterns' });
  expect(done.headers.get('location')).toMatch(/\/admin\?reset=done$/);
  expect(done.headers.getSetCookie()).toEqual([]);
  expect(await (await get('/admin?reset=done')).text()).toContain(
    'Your new password has been saved',
  );
  // The open session has ended.
  expect(await (await get('/admin', staff.cookie)).text()).toContain('name="password"');
  const entered = await post('/admin', { email: staff.email, password: 'seven quiet lanterns' });
  expect(entered.status).toBe(302);
  expect(entered.headers.getSetCookie().join()).toContain('lale_staff_device_');

  const again = await get(link);
  expect(again.status).toBe(410);
  expect(await again.text()).toContain('This link has expired or has already been used');
  expect((await post(link, { password: 'nine green harbours' })).status).toBe(410);
});

test('asking says the same for known, deactivated and unknown addresses, to the byte', async () => {
  const [known, gone] = [await storeStaff(platform), await storeStaff(platform)];
  await platform.pool.query('update staff_account set active = false where id = $1', [gone.id]);
  const answer = await plain(await post('/admin/forgotten', { email: known.email }));
  expect(answer.status).toBe(200);
  for (const email of [gone.email, `${randomUUID()}@x.example`, 'no address at all']) {
    expect(await plain(await post('/admin/forgotten', { email }))).toEqual(answer);
  }
});

test('nothing typed is said at the field', async () => {
  const empty = await post('/admin/forgotten', { email: ' ' });
  expect(empty.status).toBe(422);
  expect(await empty.text()).toContain('Enter your email address.');
});

test('the account page makes recovery codes only for whoever proves the second factor', async () => {
  const staff = await storeStaff(platform);
  const refused = await post('/admin/account', { intent: 'codes', code: '123456' }, staff.cookie);
  expect(refused.status).toBe(422);
  const html = await refused.text();
  expect(html).toContain('Set up your own second factor first');
  expect(html).not.toMatch(/[0-9A-Z]{5}-[0-9A-Z]{5}/);
});

test('signing out everywhere takes the cookie away and leads to the sign-in page', async () => {
  const staff = await storeStaff(platform);
  const left = await post('/admin/account', { intent: 'everywhere' }, staff.cookie);
  expect(left.headers.get('location')).toBe('/admin');
  expect(left.headers.get('set-cookie')).toContain('Max-Age=0');
  expect(await (await get('/admin', staff.cookie)).text()).toContain('name="password"');
});
