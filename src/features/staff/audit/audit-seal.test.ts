import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeSealer } from '~/platform/crypto/crypto.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { audit } from '../audit.server.ts';
import type { AuditFinding } from './audit-chain.ts';
import {
  reportLines,
  sealDays,
  verifyTrail,
  compareDay,
  type Fingerprint,
} from './audit-seal.server.ts';
import { deleteExpiredOfStaff, firstDayOfAuditTrail } from '../accounts/jobs.server.ts';
import fc from 'fast-check';

const platform = await makeTestPlatform({ now: new Date('2021-03-06T12:00:00Z') });
const { pool, db } = platform;
const SEALED = new Date('2021-03-08T12:00:00Z');

const verify = () => verifyTrail(platform, firstDayOfAuditTrail(platform.now()));

const note = (at: string, id = 'one') =>
  audit(db, {
    at: new Date(at),
    staffId: null,
    action: 'signed_in',
    subject: { kind: 'account', id },
    detail: { b: 1, a: 'x' },
  });

const sealed: Record<'first' | 'again' | 'together', string[]> = {
  first: [],
  again: [],
  together: [],
};
let afterFirst: Awaited<ReturnType<typeof verify>> | undefined;

// Days are sealed once, so each test restores what it changes.
beforeAll(async () => {
  await note('2021-03-01T00:00:00Z');
  await note('2021-03-01T23:59:59.999Z');
  await note('2021-03-03T10:00:00Z', 'two');
  await note('2021-03-05T10:00:00Z', 'a');
  await note('2021-03-05T11:00:00Z', 'b');
  await note('2021-03-05T12:00:00Z', 'c');
  await note('2021-03-06T11:00:00Z', 'today');
  sealed.first = await sealDays(platform);
  sealed.again = await sealDays(platform);
  afterFirst = await verify();
  platform.clock.set(SEALED);
  const days = await Promise.all([sealDays(platform), sealDays(platform), sealDays(platform)]);
  sealed.together = days.flat();
  await pool.query('create table kept_entry as select * from audit_entry');
  await pool.query('create table kept_seal as select * from audit_seal');
});

test('every day that is over is sealed once, days without entries too', () => {
  expect(sealed.first).toEqual([
    '2021-03-01',
    '2021-03-02',
    '2021-03-03',
    '2021-03-04',
    '2021-03-05',
  ]);
  expect(sealed.again).toEqual([]);
  expect(afterFirst).toEqual({ days: 5, entries: 6, findings: [], open: 1 });
});

test('processes that seal together make one chain', async () => {
  expect(sealed.together).toEqual(['2021-03-06', '2021-03-07']);
  expect(await verify()).toEqual({ days: 7, entries: 7, findings: [], open: 0 });
});

describe('the database refuses', () => {
  test.each([
    `update audit_entry set action = 'x'`,
    `delete from audit_entry`,
    'truncate audit_entry',
    `update audit_seal set entries = 0`,
    'delete from audit_seal',
    'truncate audit_seal',
    `set local session_replication_role = replica; delete from audit_entry`,
  ])('%s', async (statement) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      // The oldest entry is past its retention, and still cannot be deleted individually.
      await expect(client.query(statement)).rejects.toThrow(/append-only|permission denied/);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

/** What an owner of the tables could do: disable the triggers, and enable them again. */
async function tamper(...statements: string[]) {
  for (const statement of [
    'alter table audit_entry disable trigger user',
    'alter table audit_seal disable trigger user',
    ...statements,
    ...['audit_entry', 'audit_seal'].flatMap((table) =>
      ['append_only', 'no_truncate'].map(
        (name) => `alter table ${table} enable always trigger ${table}_${name}`,
      ),
    ),
  ])
    await pool.query(statement);
}

async function restore() {
  await tamper(
    'delete from audit_entry',
    'delete from audit_seal',
    'insert into audit_entry select * from kept_entry',
    'insert into audit_seal select * from kept_seal',
  );
  platform.clock.set(SEALED);
  expect((await verify()).findings).toEqual([]);
}

describe('tampering is found', () => {
  const third = { day: '2021-03-03', kind: 'changed', entry: 3 };
  const onFifth = (kind: AuditFinding['kind'], entry: number | null) => ({
    day: '2021-03-05',
    kind,
    entry,
  });
  const onThird = `at::date = '2021-03-03'`;
  test.each([
    [
      'an entry that was changed',
      [`update audit_entry set action = 'x' where ${onThird}`],
      [third],
    ],
    ['another who', [`update audit_entry set subject_id = 'x' where ${onThird}`], [third]],
    ['a detail', [`update audit_entry set detail = '{"a":"y"}' where ${onThird}`], [third]],
    [
      'an entry that was removed',
      [`delete from audit_entry where ${onThird}`],
      [{ ...third, kind: 'removed' }],
    ],
    [
      'an entry that was removed from the middle of a day',
      [`delete from audit_entry where id = 5`],
      [onFifth('removed', 5)],
    ],
    [
      'an entry that was added later',
      [
        `insert into audit_entry (id, at, action, subject_kind, subject_id, detail)
         values (1000, '2021-03-03T11:00:00Z', 'approved', 'account', 'x', '{}')`,
      ],
      [{ ...third, kind: 'inserted', entry: 1000 }],
    ],
    [
      'an entry pushed into the middle, those after it moved on',
      [
        `update audit_entry set id = 106 where id = 6`,
        `update audit_entry set id = 6 where id = 5`,
        `insert into audit_entry (id, at, action, subject_kind, subject_id, detail)
         values (5, '2021-03-05T10:30:00Z', 'approved', 'account', 'x', '{}')`,
      ],
      [onFifth('changed', 5), onFifth('reordered', 6), onFifth('reordered', 106)],
    ],
    [
      'two entries that changed places',
      [
        `update audit_entry set id = -1 where id = 4`,
        `update audit_entry set id = 4 where id = 6`,
        `update audit_entry set id = 6 where id = -1`,
      ],
      [onFifth('reordered', 4), onFifth('reordered', 6)],
    ],
    [
      'an entry that was put on another day',
      [`update audit_entry set at = '2021-03-04T10:00:00Z' where id = 5`],
      [{ day: '2021-03-04', kind: 'inserted', entry: 5 }, onFifth('removed', 5)],
    ],
    [
      'an entry before the first sealed day',
      [`update audit_entry set at = '2021-02-20' where ${onThird}`],
      [
        { day: '2021-02-20', kind: 'inserted', entry: 3 },
        { ...third, kind: 'removed' },
      ],
    ],
    [
      'a digest that was made to fit',
      [
        `delete from audit_entry where ${onThird}`,
        `update audit_seal set entries = 0, rows = '' where day = '2021-03-03'`,
      ],
      [
        { day: '2021-03-03', kind: 'broken', entry: null },
        { day: '2021-03-03', kind: 'changed', entry: null },
      ],
    ],
    [
      'fingerprints that were made to fit',
      [
        `delete from audit_entry where ${onThird}`,
        `update audit_seal set fingerprints = '' where day = '2021-03-03'`,
      ],
      [{ day: '2021-03-03', kind: 'changed', entry: null }],
    ],
    [
      'fingerprints that were taken away',
      [`update audit_seal set fingerprints = '' where day = '2021-03-03'`],
      [{ day: '2021-03-03', kind: 'changed', entry: null }],
    ],
    [
      'a day sealed anew without the key, and all that follow',
      [
        `delete from audit_entry where ${onThird}`,
        `update audit_seal set entries = 0, fingerprints = '', rows = encode(sha256(''), 'hex'),
           seal = encode(sha256('lale audit 1'), 'hex') where day = '2021-03-03'`,
      ],
      [
        { day: '2021-03-03', kind: 'broken', entry: null },
        { day: '2021-03-04', kind: 'broken', entry: null },
      ],
    ],
    [
      'the seal of another day in its place',
      [
        `update audit_seal set (entries, rows, fingerprints, seal) =
           (select entries, rows, fingerprints, seal from audit_seal where day = '2021-03-02')
         where day = '2021-03-04'`,
      ],
      [
        { day: '2021-03-04', kind: 'broken', entry: null },
        { day: '2021-03-05', kind: 'broken', entry: null },
      ],
    ],
    [
      'a seal that was taken out',
      [`delete from audit_seal where day = '2021-03-04'`],
      [
        { day: '2021-03-04', kind: 'unsealed', entry: null },
        { day: '2021-03-05', kind: 'broken', entry: null },
      ],
    ],
    [
      'the first seal taken away',
      [
        `delete from audit_entry where at < '2021-03-02'; delete from audit_seal where day = '2021-03-01'`,
      ],
      [{ day: '2021-03-02', kind: 'broken', entry: null }],
    ],
    [
      'the last seals taken away',
      [`delete from audit_seal where day >= '2021-03-06'`],
      [{ day: '2021-03-06', kind: 'unsealed', entry: null }],
    ],
  ])('%s', async (_, statements, findings) => {
    await tamper(...statements);
    const found = (await verify()).findings;
    await restore();
    expect(found).toEqual(findings);
  });

  test('with another key no seal holds, and the report says what that may mean', async () => {
    const sealer = makeSealer({ data: platform.config.encryptionKeys, lookup: randomBytes(32) });
    const verification = await verifyTrail(
      { ...platform, sealer },
      firstDayOfAuditTrail(platform.now()),
    );
    expect(verification.findings.map(({ kind }) => kind)).toEqual(Array(7).fill('broken'));
    expect(reportLines(verification).at(-1)).toContain('another LOOKUP_KEY');
  });

  test('the report names the first day and entry', async () => {
    await tamper(`delete from audit_entry where id = 5`, `delete from audit_entry where id = 6`);
    const lines = reportLines(await verify());
    await restore();
    expect(lines).toEqual([
      '7 sealed days with 5 entries checked; 0 entries of days not sealed yet.',
      'The trail does not hold, first at 2021-03-05: entry 5 was removed.',
      '  2021-03-05: entry 6 was removed',
    ]);
    expect(reportLines(await verify()).at(-1)).toBe('Nothing was changed.');
  });
});

test('a day past its retention goes whole, and its seal still holds the chain', async () => {
  platform.clock.set(new Date('2022-03-02T12:00:00Z'));
  await deleteExpiredOfStaff(platform);
  const { rows } = await pool.query<{ count: string }>(
    `select count(*) from audit_entry where at < '2021-03-02'`,
  );
  expect(rows).toEqual([{ count: '0' }]);
  const { days, findings } = await verify();
  await restore();
  expect(findings).toEqual([]);
  expect(days).toBe(366);
});

/** Entries of one day with ascending numbers and different contents. */
const days = fc
  .uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 2, maxLength: 15 })
  .map((ids) => ids.toSorted((a, b) => a - b).map((id) => ({ id, print: `words of ${id}` })));

const kinds = (sealed: Fingerprint[], found: Fingerprint[]) =>
  compareDay('2021-03-01', sealed, found).map(({ kind, entry }) => `${kind} ${entry}`);

const anyOf = fc.nat().map((n) => (list: readonly Fingerprint[]) => n % list.length);

test('an untouched day has no finding', () => {
  fc.assert(
    fc.property(days, (day) => {
      expect(kinds(day, day)).toEqual([]);
    }),
  );
});

test('any change of one entry is reported for that entry alone', () => {
  fc.assert(
    fc.property(days, anyOf, (day, pick) => {
      const entry = day[pick(day)] ?? { id: 0, print: '' };
      const without = day.filter(({ id }) => id !== entry.id);
      expect(kinds(day, without)).toEqual([`removed ${entry.id}`]);
      expect(kinds(without, day)).toEqual([`inserted ${entry.id}`]);
      const changed = day.map((one) => (one === entry ? { ...one, print: 'other words' } : one));
      expect(kinds(day, changed)).toEqual([`changed ${entry.id}`]);
      const moved = [...without, { id: 1000, print: entry.print }];
      expect(kinds(day, moved)).toEqual(['reordered 1000']);
    }),
  );
});

test('two entries that changed places are both reported', () => {
  fc.assert(
    fc.property(days, (day) => {
      const [first, ...rest] = day;
      const last = rest.at(-1);
      if (!first || !last) return;
      const middle = day.slice(1, -1);
      const swapped = [
        { id: first.id, print: last.print },
        ...middle,
        { id: last.id, print: first.print },
      ];
      expect(kinds(day, swapped)).toEqual([`reordered ${first.id}`, `reordered ${last.id}`]);
    }),
  );
});
