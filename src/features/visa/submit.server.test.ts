import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { useDatabase } from '../../../test/database.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { check } from './check.ts';
import { firstPriceList } from './price-list.ts';
import { completeAnswers, countries, NOW } from './testing/sample-answers.ts';
import { applicationIdsOfPassport } from './store.server.ts';
import { inputOf, submit } from './submit.server.ts';

const { db, sealer } = await makeTestPlatform({ now: NOW, database: await useDatabase() });
const situation = { now: NOW, country: countries.southAfrica, readPhone };
const { values } = check(completeAnswers(countries.southAfrica), situation);
const submission = { language: 'en', sessionHash: null, now: NOW, prices: firstPriceList };

describe('submit', () => {
  it('takes another number where the first is taken', async () => {
    const same = randomBytes(12);
    const other = randomBytes(12);
    const first = await db.transaction((tx) =>
      submit(tx, sealer, inputOf(values, situation), { ...submission, random: () => same }),
    );
    const draws = [same, same, other];
    const second = await db.transaction((tx) =>
      submit(tx, sealer, inputOf(values, situation), {
        ...submission,
        random: () => draws.shift() ?? other,
      }),
    );
    expect(second.applicationNumber).not.toBe(first.applicationNumber);
    expect(draws).toEqual([]);
    expect(await applicationIdsOfPassport(db, sealer, 'A01234567')).toEqual(
      expect.arrayContaining([first.id, second.id]),
    );
  });

  it('throws rather than store what was not checked', async () => {
    const { email: _, ...rest } = values;
    await expect(
      db.transaction((tx) => submit(tx, sealer, inputOf(rest, situation), submission)),
    ).rejects.toThrow('email');
    expect(() => inputOf(values, { country: countries.cuba })).toThrow('No e-visa');
  });
});
