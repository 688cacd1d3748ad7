import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { countRecoveryCodes } from '~/features/staff/store.server.ts';
import {
  readInvitationMail,
  INVITATION_JOB,
  invite,
} from '~/features/staff/accounts/invitation.server.ts';
import { makeRecoveryCodes } from '~/features/staff/second-factor.server.ts';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
const app = makeTestApp(platform);
const PASSWORD = 'correct horse battery';

/** Each visit has an address of its own by default. */
const address = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 254) + 1).join('.')}`;

function post(path: string, fields: Record<string, string>, cookie = '', from = address()) {
  return app.request(path, {
    method: 'POST',
    headers: { cookie, 'x-forwarded-for': from },
    body: new URLSearchParams(fields),
  });
}
const enter = (email: string, password = 'wrong', from = address()) =>
  post('/admin', { email, password }, '', from);
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** The page without what differs on every page: the nonce of its policy, and the address that was typed. */
async function plain(response: Response, email: string) {
  const html = (await response.text()).replaceAll(email, 'somebody');
  const headers = Object.fromEntries(response.headers);
  delete headers['content-security-policy'];
  delete headers['retry-after'];
  return {
    status: response.status,
    headers,
    // The rest of the waiting time differs between requests.
    html: html.replaceAll(/nonce="[^"]*"/g, '').replaceAll(/(retryAfterSeconds[^\d]*)\d+/g, '$1'),
  };
}

async function deactivated(passwordHash?: string) {
  const staff = await storeStaff(platform, { passwordHash });
  await platform.pool.query('update staff_account set active = false where id = $1', [staff.id]);
  return staff;
}

describe('guessing does not tell which accounts exist', () => {
  const who = async (passwordHash?: string) => ({
    known: (await storeStaff(platform, { passwordHash })).email,
    unknown: `${randomUUID().slice(0, 8)}@lale.example`,
    deactivated: (await deactivated(passwordHash)).email,
  });

  test('a wrong password is answered alike, to the byte', async () => {
    const { known, ...others } = await who();
    const answer = await plain(await enter(known), known);
    expect(answer.status).toBe(401);
    for (const email of Object.values(others)) {
      expect(await plain(await enter(email), email)).toEqual(answer);
    }
    // The right password of a deactivated account gets the same answer.
    const right = await enter(others.deactivated, PASSWORD);
    expect(await plain(right, others.deactivated)).toEqual(answer);
  });

  test('a limited address gets the same answer, whatever the password', async () => {
    const { known, ...others } = await who();
    const from = address();
    for (const email of [known, ...Object.values(others)]) {
      for (let i = 0; i < 5; i += 1) await enter(email, 'wrong', from);
    }
    const answer = await plain(await enter(known, PASSWORD, from), known);
    expect(answer.status).toBe(429);
    for (const email of Object.values(others)) {
      expect(await plain(await enter(email, PASSWORD, from), email)).toEqual(answer);
    }
  });

  test('an answer takes as much work for each of them', async () => {
    const passwordHash = await hashPassword(PASSWORD);
    const times = new Map<string, number>();
    const shortest = (name: string) => times.get(name) ?? 0;
    // Hashing dominates the time: leaving it out would be several times as fast in every round.
    const areAlike = () =>
      ['unknown', 'deactivated'].every((name) => shortest(name) > shortest('known') / 2);
    // What else the process does may fall into one of them several times in a row.
    for (let round = 0; round < 4 || (round < 40 && !areAlike()); round += 1) {
      for (const [name, email] of Object.entries(await who(passwordHash))) {
        // Of the processor, in milliseconds: the clock also counts what other programs do meanwhile.
        const before = process.cpuUsage();
        await enter(email);
        const { user, system } = process.cpuUsage(before);
        times.set(name, Math.min(times.get(name) ?? Infinity, (user + system) / 1000));
      }
    }
    expect(Object.fromEntries(times)).toSatisfy(areAlike);
  });
});

describe('a second factor', () => {
  async function enrolled() {
    const staff = await storeStaff(platform, { role: 'manager' });
    const page = await app.request('/admin/second-factor', { headers: { cookie: staff.cookie } });
    const html = await page.text();
    const enrolment = /name="enrolment"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? '';
    const key = /data-testid="totp-secret"[^>]*>([A-Z2-7]+)</.exec(html)?.[1] ?? '';
    const totp = new TOTP({ secret: Secret.fromBase32(key) });
    const code = (steps = 0) =>
      totp.generate({ timestamp: platform.now().getTime() + steps * 30_000 });
    const set = await post('/admin/second-factor', { enrolment, code: code() }, staff.cookie);
    return { staff, set, code };
  }
  const queue = async (cookie: string) =>
    (await app.request('/admin', { headers: { cookie } })).text();

  test('renews the session that sets it up, and ends those opened by the password alone', async () => {
    const before = await storeStaff(platform);
    const { staff, set } = await enrolled();
    expect(set.status).toBe(200);
    // The page under the session that has just ended still shows the codes, which are shown once.
    expect(await set.text()).toMatch(/[0-9A-Z]{5}-[0-9A-Z]{5}/);
    const cookie = cookieOf(set);
    expect(cookie).toMatch(/^lale_staff=[\w-]{40,}$/);
    expect(cookie).not.toBe(staff.cookie);
    expect(await queue(cookie)).toContain(staff.name);
    expect(await queue(staff.cookie)).toContain('name="password"');
    // Other sessions have ended.
    expect(await queue(before.cookie)).not.toContain('name="password"');
  });

  test('gives the session another id, and the half one opens nothing any more', async () => {
    const { staff, code } = await enrolled();
    const half = cookieOf(await enter(staff.email, PASSWORD));
    expect(await queue(half)).toContain('name="code"');
    const whole = cookieOf(await post('/admin', { code: code(1) }, half));
    expect(whole).not.toBe(half);
    expect(await queue(whole)).not.toContain('name="code"');
    expect(await queue(half)).toContain('name="password"');
  });

  test('refuses every code after five wrong recovery codes, right ones and those of the app as well', async () => {
    const { staff, code } = await enrolled();
    const [right = ''] = await makeRecoveryCodes(platform, staff.id);
    const left = await countRecoveryCodes(platform.db, staff.id);
    const half = cookieOf(await enter(staff.email, PASSWORD));
    for (let i = 0; i < 5; i += 1) {
      expect((await post('/admin', { code: 'AAAAA-AAAAA' }, half)).status).toBe(401);
    }
    const blocked = await post('/admin', { code: right }, half);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(600);
    const again = cookieOf(await enter(staff.email, PASSWORD));
    expect((await post('/admin', { code: code(1) }, again)).status).toBe(429);
    expect(await countRecoveryCodes(platform.db, staff.id)).toBe(left);
  });
});

describe('an invitation', () => {
  const token = async () => {
    const administrator = await storeStaff(platform, { role: 'administrator' });
    const email = `${randomUUID().slice(0, 8)}@office.example`;
    const typed = { email, name: 'Deniz Kaya', role: 'reviewer', language: 'en' } as const;
    const invited = await invite(platform, administrator, typed);
    if (!invited.ok) throw new Error(invited.error);
    let url = '';
    await platform.runJobs({
      [INVITATION_JOB]: async (payload) => void ({ url } = readInvitationMail(platform, payload)),
    });
    return url.split('/').at(-1) ?? '';
  };
  const guess = () => randomUUID().padEnd(43, 'x');
  const open = (one: string, from: string) =>
    app.request(`/admin/invitation/${one}`, { headers: { 'x-forwarded-for': from } });

  test('is not guessed: after sixty tries an address waits, for a right link as well', async () => {
    const [right, from] = [await token(), address()];
    // A refused form renders the page anew, so each round counts three tries.
    for (let i = 0; i < 20; i += 1) {
      expect((await open(guess(), from)).status).toBe(410);
      const wrong = { password: 'seven quiet lanterns' };
      expect((await post(`/admin/invitation/${guess()}`, wrong, '', from)).status).toBe(422);
    }
    const refused = await open(right, from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600);
    const html = await refused.text();
    expect(html).toContain('Too many attempts');
    expect(html).not.toContain('Deniz Kaya');
    const sent = { password: 'seven quiet lanterns' };
    const shut = await post(`/admin/invitation/${right}`, sent, '', from);
    expect(shut.status).toBe(429);
    expect(shut.headers.getSetCookie()).toEqual([]);
    // From another address it works.
    expect(await (await open(right, address())).text()).toContain('Deniz Kaya');
    expect((await post(`/admin/invitation/${right}`, sent)).status).toBe(302);
  });
});

test('a change of the password is refused after five wrong ones, with the right one as well', async () => {
  const { cookie } = await storeStaff(platform);
  const change = (current: string) =>
    post('/admin/account', { intent: 'password', current, next: 'nine green harbours' }, cookie);
  for (let i = 0; i < 5; i += 1) {
    expect(await (await change('wrong')).text()).toContain('This is not your current password');
  }
  const blocked = await change(PASSWORD);
  expect(blocked.status).toBe(422);
  expect(await blocked.text()).toContain('Too many attempts');
});
