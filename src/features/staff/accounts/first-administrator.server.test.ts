import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { ensureFirstAdministrator } from './first-administrator.server.ts';
import { signIn } from '../sign-in.server.ts';

const signsIn = async (
  platform: Parameters<typeof signIn>[0],
  email: string,
  password: string,
): Promise<boolean> => {
  const request = new Request('http://127.0.0.1/admin');
  return (await signIn(platform, request, { email, password, address: 'test' })).ok;
};

describe('the first administrator', () => {
  test('gets a generated password, told once', async () => {
    const platform = await makeTestPlatform();
    const first = await ensureFirstAdministrator(platform);
    expect(first).toMatchObject({ created: true, password: expect.stringMatching(/^[\w-]{20,}$/) });
    expect(await signsIn(platform, first.email, first.password ?? '')).toBe(true);
    const again = await ensureFirstAdministrator(platform);
    expect(again.created).toBe(false);
    expect(again.password).toBeUndefined();
  });

  test('is the one of the environment, whose password is not told', async () => {
    const variables = {
      ADMIN_EMAIL: 'First@Lale.example',
      ADMIN_PASSWORD: 'lantern quarry otter mist',
    };
    const platform = await makeTestPlatform({ variables });
    const first = await ensureFirstAdministrator(platform);
    expect(first).toEqual({ created: true, email: 'first@lale.example' });
    expect(await signsIn(platform, 'first@lale.example', 'lantern quarry otter mist')).toBe(true);
  });

  test('is not made of an ADMIN_EMAIL that comes after other staff, which is told', async () => {
    const database = await useDatabase();
    await ensureFirstAdministrator(await makeTestPlatform({ database }));
    const late = { ADMIN_EMAIL: 'chief@lale.example', ADMIN_PASSWORD: 'lantern quarry otter mist' };
    const again = await makeTestPlatform({ variables: late, database });
    const told = { created: false, email: 'chief@lale.example', ignored: true };
    expect(await ensureFirstAdministrator(again)).toEqual(told);
    const known = { ...late, ADMIN_EMAIL: 'admin@lale.example' };
    const same = await makeTestPlatform({ variables: known, database });
    expect((await ensureFirstAdministrator(same)).ignored).toBeUndefined();
  });

  test.each([
    ['correct horse battery staple', 'common or breached'],
    ['Password1234567', 'common or breached'],
    ['seven quiet lale lanterns', 'must not contain'],
  ])('is not made with the password %s', async (ADMIN_PASSWORD, mistake) => {
    const variables = { ADMIN_EMAIL: 'first@lale.example', ADMIN_PASSWORD };
    const platform = await makeTestPlatform({ variables, database: await useDatabase() });
    await expect(ensureFirstAdministrator(platform)).rejects.toThrow(mistake);
    const { rows } = await platform.pool.query('select id from staff_account');
    expect(rows).toEqual([]);
  });

  test('is one, also when processes start together', async () => {
    const platform = await makeTestPlatform({ database: await useDatabase() });
    const made = await Promise.all(
      Array.from({ length: 5 }, () => ensureFirstAdministrator(platform)),
    );
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    const { rows } = await platform.pool.query('select role from staff_account');
    expect(rows).toEqual([{ role: 'administrator' }]);
  });
});
