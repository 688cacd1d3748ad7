import { randomBytes, randomUUID } from 'node:crypto';
import { notInArray } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../../test/database.ts';
import { normaliseNumber } from '~/features/application/number.ts';
import type { Application } from '~/features/application/store.server.ts';
import { refundPolicy } from '~/features/order/refund-policy.ts';
import { order } from '~/features/order/tables.server.ts';
import { application } from '~/features/application/tables.server.ts';
import {
  everything,
  sortings,
  type ListFilter,
  type Narrowing,
  type ListPlace,
} from './list-filter.ts';
import { countApplications, listApplications } from './list.server.ts';
import { foldLetters, foldName, searchSpellings, typingMistakes } from '~/base/letters.ts';
import { makeSealer } from '~/platform/crypto/seal.server.ts';
import { nearSearch, readSearch } from './search-words.ts';

/* Whichever plan the database chooses, a search finds what a naive check of every application finds. */

const sealer = makeSealer({
  data: [{ id: 'test', key: randomBytes(32) }],
  lookup: randomBytes(32),
});
const { db } = await useDatabase();
const now = new Date('2026-11-23T10:00:00Z');
const looking = { staffId: randomUUID(), now };
const DAY = 24 * 3600_000;
const LIMIT = 1001;

const firstNames =
  'Mehmet Sofía Ayşe Zoë Łukasz محمد فاطمة Ali Alı İbrahim Jo Nguyễn O’Neil _a%'.split(' ');
const lastNames =
  'Yılmaz García García-Márquez Smith Đorđević Ærø العلي Ali Zo Mehmetoğlu Núñez Sørensen Soerensen Mueller Müller-Strauß Əliyev'.split(
    ' ',
  );
const houses = 'gmail.com GMAIL.com example.org gmail.com.tr qq.com'.split(' ');
const oneOf = (words: readonly string[]) => fc.constantFrom(...words);
const letters = Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ');

type Stored = typeof application.$inferInsert;
const stored: fc.Arbitrary<Stored> = fc
  .record({
    kind: fc.constantFrom('visa' as const, 'visa' as const, 'insurance' as const),
    body: fc.array(oneOf(letters), { minLength: 13, maxLength: 13 }),
    firstName: fc.oneof(
      oneOf(firstNames),
      fc.tuple(oneOf(firstNames), oneOf(firstNames)).map(([a, b]) => `${a} ${b}`),
    ),
    lastName: oneOf(lastNames),
    box: oneOf(['mehmet', 'ali.y', 'zo', 'm', 'TRV4', 'a_b%c']),
    box2: fc.nat({ max: 30 }),
    house: oneOf(houses),
    countryCode: oneOf(['ZAF', 'ZAF', 'ZAF', 'JAM']),
    service: fc.constantFrom('standard' as const, 'standard' as const, 'urgent' as const),
    ago: fc.nat({ max: 40 }),
    state: fc.constantFrom(
      'approved',
      'approved',
      'rejected',
      'pending',
      'processing',
      'unpaid',
      'paused',
      'closed',
    ),
  })
  .map(({ kind, body, box, box2, house, ago, state, ...rest }) => {
    const createdAt = new Date(now.getTime() - ago * DAY);
    const isPaid = state !== 'unpaid' && state !== 'closed';
    const status =
      state === 'closed'
        ? 'rejected'
        : state === 'unpaid' || state === 'paused'
          ? 'pending'
          : state;
    const isDecided = status === 'approved' || status === 'rejected';
    const number = (kind === 'visa' ? 'TRV' : 'TRI') + body.join('');
    return {
      ...rest,
      id: randomUUID(),
      kind,
      number,
      status,
      pausedAt: state === 'paused' ? createdAt : null,
      actionRequired: state === 'paused',
      language: 'en',
      email: `${box}${box2}@${house}`,
      phone: '+27 11 555 0100',
      dateOfBirth: '1984-05-02',
      travelDocument: 'ordinary',
      startsOn: '2026-12-12',
      orderNumber: number,
      amountMinor: 94_00,
      currency: 'USD',
      createdAt,
      paidAt: isPaid ? createdAt : null,
      promisedAt: isPaid ? new Date(createdAt.getTime() + 2 * DAY) : null,
      decidedAt: isDecided ? new Date(createdAt.getTime() + DAY) : null,
      rejectionCode: status === 'rejected' ? ('other' as const) : null,
      rejectionReason: status === 'rejected' ? 'Photo' : null,
    };
  });

const applications = fc.sample(stored, { numRuns: 250, seed: 5 });
await db.insert(order).values(
  applications.map(({ orderNumber, email, createdAt }) => ({
    id: randomUUID(),
    number: orderNumber,
    amountMinor: 94_00,
    currency: 'USD',
    language: 'en',
    customerName: 'Mehmet',
    customerEmail: email,
    createdAt,
    refundPolicy,
  })),
);
await db.insert(application).values(applications);
// Each test finds these alone, and what it adds.
const known = applications.map(({ id }) => id);
afterEach(async () => {
  await db.delete(application).where(notInArray(application.id, known));
});

const closed = (name: string) => foldName(name).replaceAll(' ', '');
const textOf = ({ firstName, lastName, email }: Stored) =>
  ` ${foldName(firstName)} ${foldName(lastName)} ${closed(firstName)} ${closed(lastName)} ${foldLetters(email)}`;

/** The naive check: every word in the names or the email, as it may be spelled, one or two letters at the beginning of one. */
function isFound(one: Stored, typed: string): boolean {
  const words = typed
    .split(/[\s,;]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => [
      foldLetters(word),
      ...searchSpellings(word).filter(
        (spelling) => spelling.length > 2 || !/^\p{L}+$/u.test(foldLetters(word)),
      ),
    ]);
  const text = textOf(one);
  const isWhole =
    words.length > 1 &&
    /^\p{L}{3,}$/u.test(closed(typed)) &&
    searchSpellings(typed).some(
      (name) => name.length > 2 && !name.includes(' ') && text.includes(name),
    );
  const isNamed =
    isWhole ||
    words.every((spellings) =>
      spellings.some((word) => text.includes(word.length < 3 ? ` ${word}` : word)),
    );
  const number = normaliseNumber(typed);
  const isNumbered = /^[A-Z0-9]{4,}$/.test(number) && one.number.includes(number);
  return words.length > 0 && (isNamed || isNumbered);
}

function isWithin(one: Stored, { status, payment, nationality, service, from, to }: Narrowing) {
  const day = one.createdAt.toISOString().slice(0, 10);
  return (
    (status === '' || one.status === status) &&
    (payment === '' || (payment === 'paid') === (one.paidAt !== null)) &&
    (nationality === '' || one.countryCode === nationality) &&
    (service === '' || one.service === service) &&
    (from === '' || day >= from) &&
    (to === '' || day <= to)
  );
}

const some = oneOf([
  'Mehmet',
  'sofia',
  'ayse',
  'zo',
  'lukasz',
  'محمد',
  'ali',
  'ibra',
  'z',
  'yilmaz',
  'arcia',
  'ærø',
  'aero',
  'SØRENSEN',
  'soerensen',
  'Müller-Strauß',
  'mueller',
  'STRAUSS',
  'aa',
  'đorđ',
  'qq',
  '%',
  '_',
  'a_b%c',
  'o’neil',
  'gmail',
  'ez',
  'mehmet yilmaz',
  'MEHMET, ali',
  'TRV4',
  'trv',
  'nobody',
  'العلي',
  '1',
  '@example.org',
]);
/** What somebody may type: words, or all or part of a stored name, email or number. */
const typing = fc.oneof(
  some,
  fc.tuple(some, some).map((two) => two.join(' ')),
  fc
    .tuple(
      fc.constantFrom(...applications),
      fc.constantFrom('firstName', 'lastName', 'email', 'number'),
      fc.nat({ max: 6 }),
      fc.nat({ max: 30 }),
      fc.boolean(),
    )
    .map(([one, field, start, length, hasValidCheckCharacter]) => {
      const text = one[field as 'firstName'];
      return hasValidCheckCharacter ? text : text.slice(start, start + 1 + length);
    }),
);
const day = fc
  .integer({ min: 0, max: 45 })
  .map((ago) => new Date(now.getTime() - ago * DAY).toISOString().slice(0, 10));
const often = (...values: string[]) => oneOf(['', '', '', ...values]);
const narrowing: fc.Arbitrary<Narrowing> = fc.record({
  status: fc.constantFrom('', '', '', 'pending', 'processing', 'approved', 'rejected'),
  payment: fc.constantFrom('', '', '', 'paid', 'unpaid'),
  nationality: often('ZAF', 'JAM', 'FRA'),
  service: often('standard', 'urgent'),
  from: fc.oneof(fc.constant(''), day),
  to: fc.oneof(fc.constant(''), fc.constant(''), day),
});

type Search = Pick<ListFilter, 'kind' | 'sort' | 'narrowing'>;

/** All matches, page by page; with limits so low that the indexes are used sometimes. */
async function find(wanted: Search, typed: string, { pageSize = LIMIT, scanLimit = LIMIT } = {}) {
  const filter: ListFilter = {
    ...wanted,
    show: 'all',
    search: readSearch(typed, sealer),
    place: null,
  };
  const page = (place: ListPlace) =>
    listApplications(db, { ...filter, place }, looking, {
      pageSize,
      scanLimits: [scanLimit, 3 * scanLimit],
    });
  const pages = [await page(null)];
  for (let last = pages[0]; last?.hasAfter; last = pages.at(-1)) {
    pages.push(await page({ after: last.rows.at(-1)?.id ?? '' }));
  }
  const rows = pages.flatMap((one) => one.rows);
  const totals = pages.flatMap(({ total }) => total ?? []);
  for (const isRare of [true, false]) {
    totals.push(await countApplications(db, filter, looking, { limit: LIMIT, scanLimit, isRare }));
  }
  return { rows, totals: new Set(totals) };
}
const ids = (rows: readonly Pick<Application, 'id'>[]) => rows.map(({ id }) => id).toSorted();

describe('a search', () => {
  test('finds what a check of every application finds, with every filter, and counts it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('visa' as const, 'insurance' as const),
        fc.constantFrom(...sortings),
        narrowing,
        typing.filter((typed) => typed.trim() !== '' && readSearch(typed, sealer) !== null),
        fc.integer({ min: 20, max: 90 }),
        fc.integer({ min: 1, max: 100 }),
        async (kind, sort, filters, typed, pageSize, scanLimit) => {
          const expected = applications.filter(
            (one) => one.kind === kind && isWithin(one, filters) && isFound(one, typed),
          );
          const wanted = { kind, sort, narrowing: filters };
          const { rows, totals } = await find(wanted, typed, { pageSize, scanLimit });
          expect(ids(rows)).toEqual(ids(expected));
          expect([...totals]).toEqual([expected.length]);
          // The order is the same, however it was read.
          const whole = await find(wanted, typed);
          expect(rows.map(({ id }) => id)).toEqual(whole.rows.map(({ id }) => id));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('several words are no shorter name than three letters', () => {
    expect(readSearch('z aa', sealer)?.closed).toEqual(['zaa']);
  });

  test('two names that are as long as a number are names', async () => {
    const [model] = applications;
    if (!model) throw new Error('No application');
    const one = { ...model, id: randomUUID(), number: 'TRV4F2K9M1QX7HP3', kind: 'visa' as const };
    await db.insert(application).values({ ...one, firstName: 'Mustafa', lastName: 'Rodríguez' });
    const wanted = { kind: 'visa', sort: 'due', narrowing: everything } as const;
    expect(ids((await find(wanted, 'mustafa rodriguez')).rows)).toEqual([one.id]);
  });

  test.each([
    ['O’Brien', "O'Brien", 'O’Brien', 'OBRIEN', 'obrien', 'O´Brien', 'o brien', "O'Bri"],
    ['Al Hasan', 'al-hasan', 'AL HASAN', 'alhasan', 'Al-Has'],
    ['Delacruz', 'de la Cruz', 'DE-LA-CRUZ'],
    ['Raj a/l Kumar', 'RAJ A L KUMAR', 'raj al kumar', 'a/l kumar', 'kumar raj', 'Raj A／L'],
    ['Müller', 'MUELLER', 'Muller', 'müller', 'ＭＵＥＬＬＥＲ'],
    ['Þórsdóttir', 'THORSDOTTIR', 'þórs'],
  ])('finds %s by %s and each other way to type it', async (lastName, ...typings) => {
    const [model] = applications;
    if (!model) throw new Error('No application');
    const number = `TRV${randomBytes(7).toString('hex').toUpperCase().slice(0, 13)}`;
    const one = { ...model, id: randomUUID(), number, kind: 'visa' as const };
    await db.insert(application).values({ ...one, firstName: 'Naomi', lastName });
    const wanted = { kind: 'visa', sort: 'due', narrowing: everything } as const;
    for (const typed of [lastName, ...typings])
      for (const scanLimit of [1, LIMIT])
        expect(ids((await find(wanted, typed, { scanLimit })).rows), typed).toContain(one.id);
  });

  test.each([
    ['simth', 'Smith'],
    ['marqez', 'García-Márquez'],
  ])('%s with one mistake finds %s', async (typed, lastName) => {
    const [model] = applications;
    if (!model) throw new Error('No application');
    const number = `TRV${randomBytes(7).toString('hex').toUpperCase().slice(0, 13)}`;
    const one = { ...model, id: randomUUID(), number, kind: 'visa' as const };
    await db.insert(application).values({ ...one, firstName: 'Naomi', lastName });
    const near = nearSearch(typed);
    const wanted = { kind: 'visa', sort: 'due', narrowing: everything } as const;
    const { rows, totals } = await find(wanted, near ?? '');
    expect(ids(rows)).toContain(one.id);
    expect(totals).toEqual(new Set([rows.length]));
  });

  test('for names with one mistake finds what a check of every application finds', async () => {
    const mistaken = fc
      .tuple(
        oneOf(['mehmet', 'sofia', 'lukasz', 'yilmaz', 'sorensen', 'garcia', 'strauss', 'smith']),
        fc.nat({ max: 7 }),
        fc.nat({ max: 2 }),
        oneOf(['', 'x', 'e', '.']),
      )
      .map(([word, at, cut, added]) => word.slice(0, at) + added + word.slice(at + cut));
    await fc.assert(
      fc.asyncProperty(
        mistaken,
        fc.constantFrom('visa' as const, 'insurance' as const),
        async (typed, kind) => {
          const near = nearSearch(typed);
          fc.pre(near !== null);
          const expected = applications.filter(
            (one) =>
              one.kind === kind &&
              (searchSpellings(typed).some((word) => textOf(one).includes(word)) ||
                textOf(one)
                  .split(' ')
                  .some((name) => typingMistakes(name, foldName(typed)) === 1)),
          );
          const { rows, totals } = await find(
            { kind, sort: 'due', narrowing: everything },
            near ?? '',
          );
          expect(ids(rows)).toEqual(ids(expected));
          expect([...totals]).toEqual([expected.length]);
        },
      ),
      { numRuns: 25 },
    );
  });
});
