import { randomBytes } from 'node:crypto';
import * as build from 'virtual:react-router/server-build';
import { afterAll, describe, expect, test, it } from 'vitest';
import { z } from 'zod';
import fc from 'fast-check';
import { makeService } from '~/app/service.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { grantService, migrate } from '~/platform/postgres/migrate.server.ts';
import { onServer } from '../../test/database.ts';
import { makeTestPlatform } from '../../test/platform.ts';
import { documents, storedMoment } from './documents.server.ts';
import { checkDirectCard, digits, type DirectCardField } from './direct-card.ts';
import {
  groupCardNumber,
  cardBehaviour,
  cardFields,
  checkCard,
  formatCvv,
  formatExpiry,
  isExpired,
  showable,
  testCards,
} from './gateway/test-cards.ts';
import { redirectAddress } from './debug-payment.ts';

describe('documents', async () => {
  const name = `live_${randomBytes(6).toString('hex')}`;
  afterAll(async () => {
    await onServer(`drop database if exists ${name} with (force)`);
    await onServer(`drop role if exists ${name}`);
  });
  const platform = await makeTestPlatform();
  const { db } = platform;

  test('live mode has no table of theirs and starts without it; test mode gets it, whoever comes first', async () => {
    await onServer(`create database ${name}`);
    const url = Object.assign(new URL(platform.url), { pathname: `/${name}` }).href;
    await migrate(url, 'live');
    const { db: liveDb, pool, close } = openDatabase(url);
    const isThere = async () => {
      const { rows } = await pool.query(`select to_regclass('simulated_document') as name`);
      return rows[0]?.name !== null;
    };
    const live = {
      ...platform,
      db: liveDb,
      pool,
      config: { ...platform.config, mode: 'live' as const },
    };
    const ends = { announceStop: () => undefined, close: async () => undefined };
    await makeService({ ...live, forJobs: live, ...ends }, { build });
    expect(await isThere()).toBe(false);

    await pool.query(`create role ${name} login password 'secret'`);
    await grantService(pool, name);
    const restricted = Object.assign(new URL(url), { username: name, password: 'secret' }).href;
    await migrate(restricted, 'live');
    const refused = await migrate(restricted, 'test').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect(String(refused)).toContain('MODE=test npm run lale -- migrate');

    await Promise.all([migrate(url, 'test'), migrate(url, 'test')]);
    expect(await isThere()).toBe(true);
    await close();
  });

  describe('documents', () => {
    const kindOf = (kind: string) =>
      documents({
        partner: 'gateway',
        kind,
        shape: z.object({
          id: z.string(),
          state: z.enum(['open', 'done']).default('open'),
          by: z.string().nullable().default(null),
          createdAt: storedMoment,
        }),
        id: ({ id }) => id,
      });
    const at = (hour: number) => new Date(Date.UTC(2026, 10, 23, hour));
    const idsOf = (found: { id: string }[]) => found.map(({ id }) => id).join('');

    test('keep the first of an id, with its moments', async () => {
      const things = kindOf('kept');
      const first = await things.insert(db, { id: 'a', by: 'one', createdAt: at(3) });
      expect(await things.insert(db, { id: 'a', by: 'two', createdAt: at(4) })).toBeNull();
      expect(await things.get(db, 'a')).toEqual(first);
      expect(first).toEqual({ id: 'a', state: 'open', by: 'one', createdAt: at(3) });
      expect(await kindOf('other').get(db, 'a')).toBeNull();
    });

    test('change from one state to the next once, whoever else tries at the same time', async () => {
      const things = kindOf('changed');
      await things.insert(db, { id: 'a', createdAt: at(1) });
      const tried = await Promise.all(
        ['one', 'two', 'three'].map((by) =>
          things.change(db, 'a', { state: 'done', by }, { state: 'open' }),
        ),
      );
      const changed = tried.filter((each) => each !== null);
      expect(changed).toHaveLength(1);
      expect(changed).toEqual([await things.get(db, 'a')]);
    });

    test('are never stored in a shape that cannot be read', async () => {
      const things = kindOf('wrong');
      const wrong = { id: 'b', state: 'lost', createdAt: at(1) } as never;
      await expect(things.insert(db, wrong)).rejects.toThrow(z.ZodError);
      expect(await things.get(db, 'b')).toBeNull();
    });

    test('are found by their fields, in order, within moments', async () => {
      const things = kindOf('found');
      for (const [id, hour] of [['c', 2] as const, ['d', 1] as const, ['e', 5] as const]) {
        await things.insert(db, { id, createdAt: at(hour) });
      }
      await things.insert(db, { id: 'f', state: 'done', createdAt: at(3) });
      expect(idsOf(await things.list(db, { state: 'open' }))).toBe('dce');
      expect(idsOf(await things.list(db, {}, { newestFirst: true }))).toBe('efcd');
      const between = { moment: 'createdAt', from: at(2), to: at(5) };
      expect(idsOf(await things.list(db, {}, { between }))).toBe('cf');
    });

    test('are taken oldest first, each by one', async () => {
      const things = kindOf('taken');
      for (const [id, hour] of [['g', 2] as const, ['h', 1] as const, ['i', 5] as const]) {
        await things.insert(db, { id, createdAt: at(hour) });
      }
      expect(await things.takeOldest(db, { state: 'done' })).toBeNull();
      expect(await things.takeOldest(db, { state: 'open' })).toMatchObject({ id: 'h' });
      const taken = await Promise.all([1, 2, 3].map(() => things.takeOldest(db, {})));
      const each = [...taken.flatMap((one) => one ?? []), ...(await things.list(db, {}))];
      expect(each.map(({ id }) => id).toSorted()).toEqual(['g', 'i']);
    });
  });
});

const card = {
  cardHolder: 'S HERNANDEZ',
  cardNumber: '4111 1111 1111 1111',
  'expiryDate-month': '09',
  'expiryDate-year': '29',
  cvv: '123',
};

describe('the direct card test form', () => {
  it('finds nothing wrong with a well-formed card', () => {
    expect(checkDirectCard(card)).toEqual({});
  });

  it.each<[DirectCardField, string, string | undefined]>([
    ['cardHolder', '   ', 'holder_required'],
    ['cardNumber', '', 'number_too_short'],
    ['cardNumber', '4111 1111 1111', 'number_too_short'],
    ['cardNumber', '4111 1111 1111 1', undefined],
    ['cardNumber', '3782 8224 6310 005', undefined],
    ['expiryDate-month', '', 'month_unreal'],
    ['expiryDate-month', '00', 'month_unreal'],
    ['expiryDate-month', '1', 'month_unreal'],
    ['expiryDate-month', '01', undefined],
    ['expiryDate-month', '12', undefined],
    ['expiryDate-month', '13', 'month_unreal'],
    ['expiryDate-year', '9', 'year_two_digits'],
    ['expiryDate-year', '2029', 'year_two_digits'],
    ['cvv', '12', 'cvv_three_or_four'],
    ['cvv', '1234', undefined],
    ['cvv', '12345', 'cvv_three_or_four'],
    ['cvv', '12a', 'cvv_three_or_four'],
  ])('says of %s “%s”: %s', (field, typed, error) => {
    expect(checkDirectCard({ ...card, [field]: typed })).toEqual(error ? { [field]: error } : {});
  });

  it('names everything that is wrong at once', () => {
    const empty = {
      cardHolder: '',
      cardNumber: '',
      'expiryDate-month': '',
      'expiryDate-year': '',
      cvv: '',
    };
    expect(Object.keys(checkDirectCard(empty))).toHaveLength(5);
  });

  it('takes every number of 13 to 16 digits as it is grouped while typing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{13,16}$/), (number) => {
        const cardNumber = groupCardNumber(number);
        expect(cardNumber.length).toBeLessThanOrEqual(19);
        expect(checkDirectCard({ ...card, cardNumber })).toEqual({});
      }),
    );
  });

  it('keeps digits only, and no more than asked for', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 4 }), (typed, most) => {
        expect(digits(typed, most)).toMatch(new RegExp(`^\\d{0,${most}}$`));
      }),
    );
  });
});

const page = 'https://gateway.example/checkout?theme=plain';

test('the direct redirect names the payment, whatever was typed', () => {
  expect(redirectAddress(page, 'a b&c')).toBe(`${page}&order=a+b%26c`);
});

test('without an id there is no page to lead to', () => {
  expect(redirectAddress(page, '')).toBeNull();
});

describe('test cards', () => {
  const card = {
    cardHolder: 'S HERNANDEZ',
    cardNumber: '4111 1111 1111 1111',
    expiryDate: '12/29',
    cvv: '123',
  };

  describe('the card form', () => {
    it.each(cardFields)('needs %s', (field) => {
      expect(checkCard({ ...card, [field]: '  ' })).toEqual({ [field]: 'required' });
    });

    it('names every empty field at once', () => {
      const empty = { cardHolder: '', cardNumber: '', expiryDate: '', cvv: '' };
      expect(Object.keys(checkCard(empty))).toEqual(cardFields);
    });

    it('takes published test numbers only, with or without spaces', () => {
      for (const number of Object.keys(testCards)) {
        expect(checkCard({ ...card, cardNumber: number })).toEqual({});
        expect(checkCard({ ...card, cardNumber: groupCardNumber(number) })).toEqual({});
      }
      fc.assert(
        fc.property(fc.stringMatching(/^\d{13,19}$/), (number) => {
          fc.pre(!(number in testCards));
          expect(checkCard({ ...card, cardNumber: number })).toEqual({
            cardNumber: 'not_a_test_card',
          });
        }),
      );
    });

    it.each(['13/29', '00/29', '12', '1229', '12/2', 'ab/cd'])(
      'takes no expiry date %s',
      (expiryDate) => {
        expect(checkCard({ ...card, expiryDate })).toEqual({ expiryDate: 'expiry_unreal' });
      },
    );

    it('knows that a card is good to the end of its month', () => {
      expect(isExpired('11/26', new Date('2026-11-30T23:59:59Z'))).toBe(false);
      expect(isExpired('11/26', new Date('2026-12-01T00:00:00Z'))).toBe(true);
      expect(isExpired('12/25', new Date('2026-01-01T00:00:00Z'))).toBe(true);
      expect(isExpired('01/27', new Date('2026-12-31T23:59:59Z'))).toBe(false);
    });

    it('gives back neither an unknown number nor any CVV', () => {
      expect(showable({ ...card, cardNumber: '4012888888881881' })).toEqual({
        ...card,
        cardNumber: '',
        cvv: '',
      });
      expect(showable(card)).toEqual({ ...card, cvv: '' });
    });

    it('has no behaviour for names that every object has', () => {
      expect(cardBehaviour('constructor')).toBeNull();
      expect(cardBehaviour('toString')).toBeNull();
    });
  });

  describe('formats while typing', () => {
    it.each([
      [groupCardNumber, '4111111111111111', '4111 1111 1111 1111'],
      [groupCardNumber, '41111', '4111 1'],
      [groupCardNumber, '4111-1111 x1111.1111999', '4111 1111 1111 1111'],
      [formatExpiry, '12', '12'],
      [formatExpiry, '122', '12/2'],
      [formatExpiry, '12/2930', '12/29'],
      [formatExpiry, 'ab', ''],
      [formatCvv, '12a34', '123'],
    ])('%o of %s is %s', (format, typed, shown) => {
      expect(format(typed)).toBe(shown);
    });

    it('leaves alone what is already formatted, and never grows beyond its limit', () => {
      fc.assert(
        fc.property(fc.string(), (typed) => {
          for (const [format, limit] of [
            [groupCardNumber, 19],
            [formatExpiry, 5],
            [formatCvv, 3],
          ] as const) {
            const once = format(typed);
            expect(format(once)).toBe(once);
            expect(once.length).toBeLessThanOrEqual(limit);
          }
        }),
      );
    });
  });
});
