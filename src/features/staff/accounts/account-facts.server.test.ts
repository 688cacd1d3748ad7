import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  cachedActiveStaff,
  openSessions,
  accountByEmail,
  accountById,
  auditEntriesBySubject,
  staffNames,
} from '../store.server.ts';
import { pageBeforeDesk } from '../require.server.ts';
import { toStaff } from '../session.server.ts';
import { staffAccounts } from '../testing/accounts.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { useDatabase } from '../../../../test/database.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../passwords.ts';
import { readReset, RESET_JOB, readResetMail, sendReset } from './reset.server.ts';
import { accountChanges, changeAccountFacts, changeOwnName } from './account-facts.server.ts';
import { setActive } from './accounts.server.ts';
import { ensureFirstAdministrator } from './first-administrator.server.ts';
import { passwordProblem } from './password-problem.server.ts';

const { account, administrator, db, enter, platform } = await staffAccounts();
const { sealer } = platform;

/** Of what a change of the account was recorded, in ids and words. */
const changesOf = async (id: string) =>
  (await auditEntriesBySubject(db, { kind: 'account', id }))
    .filter(({ action }) => action === 'account_changed')
    .map(({ staffId, detail }) => ({ staffId, detail }));

const rename = (id: string, typed: { name?: string; email?: string; emailAnswer?: string }) =>
  accountById(db, id).then((found) =>
    changeAccountFacts(platform, administrator, id, {
      name: found?.name ?? '',
      email: found?.email ?? '',
      emailAnswer: '',
      ...typed,
    }),
  );

describe('one’s own name', () => {
  test('stands at once wherever the account is named, and what it was is kept', async () => {
    const { id, email } = await account('reviewer');
    expect((await staffNames(db, [id])).get(id)).toBe('E. Aydın');
    await cachedActiveStaff(db);
    expect(await changeOwnName(platform, { id }, '  Deniz \u0041\u030a  Kaya ')).toMatchObject({
      ok: true,
    });
    expect((await staffNames(db, [id])).get(id)).toBe('Deniz Å Kaya');
    expect(await cachedActiveStaff(db)).toContainEqual({ id, name: 'Deniz Å Kaya' });
    expect(await accountChanges(db, sealer, id)).toMatchObject([
      {
        changedBy: id,
        before: { name: 'E. Aydın', email },
        after: { name: 'Deniz Å Kaya', email },
      },
    ]);
    const detail = { name: true, email: false };
    expect(await changesOf(id)).toEqual([{ staffId: id, detail }]);
  });

  test('must not be empty, and the same one again is no change', async () => {
    const { id } = await account('reviewer');
    const refused = { ok: false, error: 'name_required' };
    expect(await changeOwnName(platform, { id }, ' \n ')).toEqual(refused);
    expect(await changeOwnName(platform, { id }, 'E. Aydın')).toMatchObject({ ok: true });
    expect(await changesOf(id)).toEqual([]);
  });

  test('is what the first administrator is asked for before the desk of live mode opens', async () => {
    const other = await makeTestPlatform({ database: await useDatabase() });
    const { email } = await ensureFirstAdministrator(other);
    const before = async (mode: 'test' | 'live') => {
      const found = await accountByEmail(other.db, email);
      if (!found) throw new Error('no account');
      const staff = { ...toStaff(found), hasSecondFactor: true };
      return pageBeforeDesk({ config: { ...other.config, mode } }, staff);
    };
    expect([await before('live'), await before('test')]).toEqual(['/admin/name', null]);
    const id = (await accountByEmail(other.db, email))?.id ?? '';
    expect(await changeOwnName(other, { id }, 'Administrator')).toMatchObject({ ok: true });
    expect(await before('live')).toBeNull();
  });
});

describe('a colleague’s name and address', () => {
  test('are changed by an administrator; a new address ends sessions and links', async () => {
    const colleague = await account('manager');
    const { id, email } = colleague;
    await enter(email);
    expect(await sendReset(platform, administrator, id, 'en')).toMatchObject({ ok: true });
    const links: string[] = [];
    await platform.runJobs({
      [RESET_JOB]: async (payload) =>
        void links.push((await readResetMail(platform, payload))?.url.split('/').at(-1) ?? ''),
    });
    const [link = ''] = links;

    expect(await rename(id, { name: 'Deniz Kaya' })).toMatchObject({ ok: true });
    expect(await openSessions(db, id, platform.now())).toHaveLength(1);
    expect(await readReset(platform, link)).not.toBeNull();

    const moved = `moved.${email}`;
    expect(await rename(id, { email: ` ${moved.toUpperCase()} ` })).toMatchObject({ ok: true });
    expect(await accountById(db, id)).toMatchObject({ name: 'Deniz Kaya', email: moved });
    expect(await openSessions(db, id, platform.now())).toEqual([]);
    expect(await readReset(platform, link)).toBeNull();
    await expect(enter(email)).rejects.toThrow('wrong_password');
    await enter(moved);

    const by = administrator.id;
    expect(await changesOf(id)).toEqual([
      { staffId: by, detail: { name: true, email: false, sessions: 0 } },
      { staffId: by, detail: { name: false, email: true, sessions: 1 } },
    ]);
    // Neither name nor address stands in the audit trail.
    expect(JSON.stringify(await auditEntriesBySubject(db, { kind: 'account', id }))).not.toMatch(
      /Deniz|office/,
    );
    const changes = await accountChanges(db, sealer, id);
    expect(changes.map(({ before, after }) => [before.name, before.email, after.email])).toEqual(
      expect.arrayContaining([
        ['E. Aydın', email, email],
        ['Deniz Kaya', email, moved],
      ]),
    );
  });

  test('are refused where another account has the address, also a deactivated one', async () => {
    const [one, active, gone] = [
      await account('reviewer'),
      await account('reviewer'),
      await account('reviewer'),
    ];
    await setActive(platform, administrator, gone.id, false);
    for (const email of [active.email.toUpperCase(), gone.email]) {
      expect(await rename(one.id, { email })).toEqual({ ok: false, error: 'email_taken' });
    }
    expect(await changesOf(one.id)).toEqual([]);
    // Two who are given the same free address at once: one of them gets it.
    const email = `free.${one.email}`;
    const both = await Promise.all([rename(one.id, { email }), rename(active.id, { email })]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test.each([
    [{ name: ' ' }, 'name_required'],
    [{ email: 'nowhere' }, 'email_invalid'],
    [{ email: 'deniz@gmial.com' }, 'email_mistyped'],
    [{}, 'unchanged'],
  ])('are refused as %j', async (typed, error) => {
    const { id } = await account('reviewer');
    expect(await rename(id, typed)).toEqual({ ok: false, error });
  });

  test('keep an address that looks mistyped and was chosen, and one that was there before', async () => {
    const { id } = await account('reviewer');
    const email = `x${id.slice(0, 5)}@gmial.com`;
    expect(await rename(id, { email, emailAnswer: email })).toMatchObject({ ok: true });
    expect(await rename(id, { name: 'Deniz' })).toMatchObject({ ok: true });
  });

  test('are for administrators, and not their own', async () => {
    const [manager, colleague] = [await account('manager'), await account('reviewer')];
    const typed = { name: 'X', email: colleague.email, emailAnswer: '' };
    expect(await changeAccountFacts(platform, manager, colleague.id, typed)).toEqual({
      ok: false,
      error: 'forbidden',
    });
    expect(await changeAccountFacts(platform, administrator, administrator.id, typed)).toEqual({
      ok: false,
      error: 'own_account',
    });
  });
});

const person = { email: 'deniz.kaya@office.example', name: 'Deniz Kaya' };
const problemOf = (password: string, of = person) => passwordProblem(password, of);

describe('a new password of staff', () => {
  test.each([
    'nine green harbours',
    'seven quiet lanterns',
    'lantern quarry otter mist',
    'x9fK2mQp7Lz4Rt8',
    'sessiz yedi fener yolu',
    'قنديل هادئ وبحر بعيد',
  ])('may be %s', async (password) => {
    expect(await problemOf(password)).toBeNull();
  });

  test.each([
    ['fourteen chars', 'too_short'],
    ['x'.repeat(MAX_PASSWORD_LENGTH + 1), 'too_long'],
    // Common, breached, doubled, keyboard patterns, with digits appended.
    ['iloveyouiloveyou', 'guessable'],
    ['Password1234567', 'guessable'],
    ['P@ssw0rd1234567', 'guessable'],
    ['trustno1trustno1', 'guessable'],
    ['qwertyuiopasdfghjkl', 'guessable'],
    ['123456789012345678', 'guessable'],
    ['aaaaaaaaaaaaaaaaaa', 'guessable'],
    ['Summer2026Summer2026', 'guessable'],
    ['administrator2026', 'guessable'],
    ['sifre123456789012', 'guessable'],
    ['correct horse battery staple', 'guessable'],
    ['Correct-Horse-Battery-Staple-2026', 'guessable'],
    // The person's name with a year.
    ['Kaya-Deniz-2026', 'guessable'],
    // The product's name or the person's address, anywhere and in any case.
    ['seven quiet LALE lanterns', 'personal'],
    ['seven quiet deniz.kaya lanterns', 'personal'],
    ['Deniz.Kaya@office.example 7 lanterns', 'personal'],
  ])('may not be %.40s: %s', async (password, problem) => {
    expect(await problemOf(password)).toBe(problem);
  });

  test('is judged in full-width letters as in plain ones', async () => {
    expect(await problemOf('ｐａｓｓｗｏｒｄ1234567')).toBe('guessable');
  });

  test('may be any random one of the least length', async () => {
    const letters = Array.from('abcdefghijkmnopqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789');
    const random = fc.array(fc.constantFrom(...letters), {
      minLength: MIN_PASSWORD_LENGTH,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(random, async (list) => {
        const password = list.join('');
        fc.pre(new Set(list).size > 8 && !password.toLowerCase().includes('lale'));
        expect(await problemOf(password)).toBeNull();
      }),
      { numRuns: 4 },
    );
  });

  test('is strong in its first 64 characters: what follows is not judged, as it would take too long', async () => {
    expect(await problemOf(`${'a'.repeat(64)}x9fK2mQp7Lz4Rt8`)).toBe('guessable');
    expect(await problemOf(`x9fK2mQp7Lz4Rt8${'a'.repeat(64)}`)).toBeNull();
  });
});
