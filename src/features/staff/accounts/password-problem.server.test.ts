import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordProblem } from './password-problem.server.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../passwords.ts';

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
    ['x'.repeat(LONGEST_PASSWORD + 1), 'too_long'],
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
      minLength: SHORTEST_PASSWORD,
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
