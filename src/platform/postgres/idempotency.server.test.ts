import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ok, refused } from '~/base/outcome.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { deleteOldKeys, hashRequest, once } from './idempotency.server.ts';

const { db, pool, sealer, now } = await makeTestPlatform();

beforeAll(async () => {
  await pool.query('create table thing (id serial primary key, name text not null)');
});
beforeEach(async () => {
  await pool.query('truncate thing, idempotency_key');
});

const thing = z.object({ id: z.int(), name: z.string() });

function request(body: unknown, key = 'k1', scope = 'POST /things', at = now()) {
  return { scope, key, requestHash: hashRequest(sealer, body), made: thing, sealer, now: at };
}

/** Stores a thing, slowly enough for duplicates to arrive meanwhile. */
const makeThing = (body: { name: string }, at = request(body)) =>
  once(db, at, async (tx) => {
    const { rows } = await tx.execute<{ id: number }>(
      sql`insert into thing (name) values (${body.name}) returning id, pg_sleep(0.05)`,
    );
    return ok({ id: rows[0]?.id ?? 0, name: body.name });
  });

const count = async () => (await pool.query('select from thing')).rowCount;

test('a repeated request gets the first answer, and nothing is made again', async () => {
  const first = await makeThing({ name: 'a' });
  const second = await makeThing({ name: 'a' });
  expect(first).toEqual(ok({ made: { id: expect.any(Number), name: 'a' }, replayed: false }));
  expect(second).toEqual({ ...first, value: { ...(first.ok && first.value), replayed: true } });
  expect(await count()).toBe(1);
});

test('the same key with another request is told so', async () => {
  await makeThing({ name: 'a' });
  expect(await makeThing({ name: 'b' })).toEqual(refused('key_reused'));
  expect(await count()).toBe(1);
});

test('twenty duplicates at once make one thing and get one answer', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => makeThing({ name: 'a' })));
  const bodies = answers.map((one) => JSON.stringify(one.ok && one.value.made));
  expect(new Set(bodies).size).toBe(1);
  expect(answers.filter((one) => one.ok && !one.value.replayed)).toHaveLength(1);
  expect(await count()).toBe(1);
});

test('keys of different scopes have nothing to do with each other', async () => {
  await makeThing({ name: 'a' }, request({ name: 'a' }, 'k1', 'one'));
  await makeThing({ name: 'a' }, request({ name: 'a' }, 'k1', 'two'));
  expect(await count()).toBe(2);
});

test('a refusal stores nothing and frees the key', async () => {
  const done = await once(db, request({ name: 'a' }), async (tx) => {
    await tx.execute(sql`insert into thing (name) values ('a')`);
    return refused({ code: 'wrong_total', due: '94.00' });
  });
  expect(done).toEqual(refused({ code: 'wrong_total', due: '94.00' }));
  expect(await count()).toBe(0);
  expect(await makeThing({ name: 'b' })).toMatchObject({ ok: true, value: { replayed: false } });
});

test('after an exception the same request can be tried again', async () => {
  await expect(
    once(db, request({ name: 'a' }), async () => {
      throw new Error('out of paper');
    }),
  ).rejects.toThrow('out of paper');
  expect(await makeThing({ name: 'a' })).toMatchObject({ ok: true, value: { replayed: false } });
});

test('inside a transaction that is rolled back nothing is remembered', async () => {
  await db
    .transaction(async (tx) => {
      await once(tx, request({ name: 'a' }), async () => ok({ id: 1, name: 'a' }));
      tx.rollback();
    })
    .catch(() => undefined);
  expect(await makeThing({ name: 'a' })).toMatchObject({ value: { replayed: false } });
});

test('after a day the key is free again', async () => {
  await makeThing({ name: 'a' });
  const tomorrow = new Date(now().getTime() + 25 * 3600 * 1000);
  expect(
    await makeThing({ name: 'b' }, request({ name: 'b' }, 'k1', 'POST /things', tomorrow)),
  ).toMatchObject({
    value: { replayed: false },
  });
  expect(await deleteOldKeys(db, now())).toBe(0);
  expect(await deleteOldKeys(db, new Date(tomorrow.getTime() + 25 * 3600 * 1000))).toBe(1);
});

test('the order of fields makes no other request, a value does', () => {
  expect(hashRequest(sealer, { a: 1, b: { c: 2, d: [3] } })).toEqual(
    hashRequest(sealer, { b: { d: [3], c: 2 }, a: 1 }),
  );
  expect(hashRequest(sealer, { a: [1, 2] })).not.toEqual(hashRequest(sealer, { a: [2, 1] }));
});

test('what is stored does not show the answer', async () => {
  await makeThing({ name: 'Zeynep' });
  const { rows } = await pool.query<{ answer: Buffer }>('select answer from idempotency_key');
  expect(rows[0]?.answer.toString('latin1')).not.toContain('Zeynep');
});
