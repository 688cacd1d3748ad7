import { beforeAll, describe, expect, test } from 'vitest';
import { makeTestPlatform } from '../../../test/platform.ts';
import { audit } from './audit.server.ts';
import { sealDays, verifyTrail } from './audit-seal.server.ts';
import { auditKeptFrom, staffJobs } from './jobs.server.ts';

const platform = await makeTestPlatform({ now: new Date('2021-03-06T12:00:00Z') });
const { pool, db } = platform;

const verify = () => verifyTrail(platform, auditKeptFrom(platform.now()));

const note = (at: string, id = 'one') =>
  audit(db, {
    at: new Date(at),
    staffId: null,
    action: 'signed_in',
    subject: { kind: 'account', id },
    detail: { b: 1, a: 'x' },
  });

beforeAll(async () => {
  await note('2021-03-01T00:00:00Z');
  await note('2021-03-01T23:59:59.999Z');
  await note('2021-03-03T10:00:00Z', 'two');
  await note('2021-03-06T11:00:00Z', 'today');
});

test('every day that is over is sealed once, days without entries too', async () => {
  expect(await sealDays(platform)).toEqual([
    '2021-03-01',
    '2021-03-02',
    '2021-03-03',
    '2021-03-04',
    '2021-03-05',
  ]);
  expect(await sealDays(platform)).toEqual([]);
  expect(await verify()).toEqual({ days: 5, findings: [] });
});

test('processes that seal together make one chain', async () => {
  platform.clock.set(new Date('2021-03-08T12:00:00Z'));
  const days = await Promise.all([sealDays(platform), sealDays(platform), sealDays(platform)]);
  expect(days.flat()).toEqual(['2021-03-06', '2021-03-07']);
  expect(await verify()).toEqual({ days: 7, findings: [] });
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
      // The oldest entry is past a year: even so nobody deletes it at will while its day is not forgotten.
      await expect(client.query(statement)).rejects.toThrow(/append-only|permission denied/);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

/** What somebody does who owns the tables: switches the triggers off, and on again. */
async function tamper(...statements: string[]) {
  for (const statement of [
    'alter table audit_entry disable trigger user',
    'alter table audit_seal disable trigger user',
    ...statements,
    'alter table audit_entry enable always trigger audit_entry_append_only',
    'alter table audit_seal enable always trigger audit_seal_append_only',
  ])
    await pool.query(statement);
}

describe('tampering is found', () => {
  const restore = async () => {
    await tamper(
      'delete from audit_entry',
      'delete from audit_seal',
      'insert into audit_entry select * from kept_entry',
      'insert into audit_seal select * from kept_seal',
    );
    expect((await verify()).findings).toEqual([]);
  };
  beforeAll(async () => {
    await pool.query('create table kept_entry as select * from audit_entry');
    await pool.query('create table kept_seal as select * from audit_seal');
  });

  const third = { day: '2021-03-03', kind: 'changed' };
  const onThird = `at::date = '2021-03-03'`;
  test.each([
    [
      'an entry that was changed',
      [`update audit_entry set action = 'x' where ${onThird}`],
      [third],
    ],
    ['another who', [`update audit_entry set subject_id = 'x' where ${onThird}`], [third]],
    ['a detail', [`update audit_entry set detail = '{"a":"y"}' where ${onThird}`], [third]],
    ['an entry that was removed', [`delete from audit_entry where ${onThird}`], [third]],
    [
      'an entry that was added later',
      [
        `insert into audit_entry (at, action, subject_kind, subject_id, detail)
         values ('2021-03-03T11:00:00Z', 'approved', 'account', 'x', '{}')`,
      ],
      [third],
    ],
    [
      'an entry before the first sealed day',
      [`update audit_entry set at = '2021-02-20' where ${onThird}`],
      [{ day: '2021-02-20', kind: 'changed' }, third],
    ],
    [
      'a digest that was made to fit',
      [
        `delete from audit_entry where ${onThird}`,
        `update audit_seal set entries = 0, rows = '' where day = '2021-03-03'`,
      ],
      [{ day: '2021-03-03', kind: 'broken' }],
    ],
    [
      'a seal that was taken out',
      [`delete from audit_seal where day = '2021-03-04'`],
      [
        { day: '2021-03-04', kind: 'unsealed' },
        { day: '2021-03-05', kind: 'broken' },
      ],
    ],
    [
      'the first seal taken away',
      [
        `delete from audit_entry where at < '2021-03-02'; delete from audit_seal where day = '2021-03-01'`,
      ],
      [{ day: '2021-03-02', kind: 'broken' }],
    ],
    [
      'the last seals taken away',
      [`delete from audit_seal where day >= '2021-03-06'`],
      [{ day: '2021-03-06', kind: 'unsealed' }],
    ],
  ])('%s', async (_, statements, findings) => {
    await tamper(...statements);
    const found = (await verify()).findings;
    await restore();
    expect(found).toEqual(expect.arrayContaining(findings));
    expect(found.length).toBeGreaterThan(0);
  });
});

test('a day past its retention goes whole, and its seal still holds the chain', async () => {
  platform.clock.set(new Date('2022-03-02T12:00:00Z'));
  const job = { id: '1', attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
  await staffJobs(platform)['staff.forget']?.({}, job);
  const { rows } = await pool.query<{ count: string }>(
    `select count(*) from audit_entry where at < '2021-03-02'`,
  );
  expect(rows).toEqual([{ count: '0' }]);
  const { days, findings } = await verify();
  expect(findings).toEqual([]);
  expect(days).toBe(366);
});
