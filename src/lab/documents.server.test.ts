import { randomBytes } from 'node:crypto';
import * as build from 'virtual:react-router/server-build';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeService } from '~/app/service.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { grantService, migrate } from '~/platform/postgres/migrate.server.ts';
import { onServer } from '../../test/database.ts';
import { makeTestPlatform } from '../../test/platform.ts';
import { documents, storedMoment } from './documents.server.ts';

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
