import { expect, test } from 'vitest';
import { resetMailOf, makeResetLink, RESET_JOB, askReset } from '../accounts/reset.server.ts';
import { PASSWORD, signOns } from '../testing/sign-ons.ts';

const EMERGENCY = 'emergency@lale.example';
const { platform, staff, browser } = await signOns({ STAFF_PASSWORD_SIGN_IN: EMERGENCY });
const enter = (email: string) => browser().ask('/admin', { email, password: PASSWORD });

test('passwords are taken of the accounts for emergencies alone, and refused like wrong ones', async () => {
  const [ordinary, emergency] = [await staff(), await staff()];
  await platform.pool.query('update staff_account set email = $2 where id = $1', [
    emergency.id,
    EMERGENCY,
  ]);
  const refused = await enter(ordinary.email);
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain('The email address or the password is wrong');
  expect((await enter(EMERGENCY)).status).toBe(302);
  const page = await (await browser().ask('/admin')).text();
  expect(page).toMatch(/<details[^>]*><summary[^>]*>Sign in with a password/);
});

test('nobody else gets a link to a new password', async () => {
  const { email } = await staff();
  await askReset(platform, { email, address: '10.1.1.1', language: 'en' });
  const mails: unknown[] = [];
  await platform.runJobs({
    [RESET_JOB]: async (payload) => void mails.push(await resetMailOf(platform, payload)),
  });
  expect(mails).toEqual([null]);
  const link = await makeResetLink(platform, { email, secondFactor: false });
  expect(link).toEqual({ ok: false, error: 'no_password' });
});
