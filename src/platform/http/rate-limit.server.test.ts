import { expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { makeLimiter } from './rate-limit.server.ts';

const { pool } = await useDatabase();

test('processes count together, and the refusal says when to come back', async () => {
  const limit = { name: 'lookup', points: 3, seconds: 60 };
  const here = makeLimiter(pool, limit);
  const there = makeLimiter(pool, limit);
  const answers = [];
  for (const limiter of [here, there, here, there, here])
    answers.push(await limiter.consume('10.0.0.1'));
  expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
  expect(answers[3]?.retryAfterSeconds).toBeGreaterThan(50);
  expect(answers[3]?.retryAfterSeconds).toBeLessThanOrEqual(60);
});

test('another key, and another limit on the same key, have their own count', async () => {
  const one = makeLimiter(pool, { name: 'one', points: 1, seconds: 60 });
  const two = makeLimiter(pool, { name: 'two', points: 1, seconds: 60 });
  expect((await one.consume('a')).allowed).toBe(true);
  expect((await one.consume('a')).allowed).toBe(false);
  expect((await one.consume('b')).allowed).toBe(true);
  expect((await two.consume('a')).allowed).toBe(true);
});

test('a reset forgets, a block in memory included', async () => {
  const limiter = makeLimiter(pool, { name: 'sign-in', points: 1, seconds: 60 });
  await limiter.consume('a');
  expect((await limiter.consume('a')).allowed).toBe(false);
  await limiter.reset('a');
  expect((await limiter.consume('a')).allowed).toBe(true);
});

test('thirty calls at once are counted exactly', async () => {
  const limiter = makeLimiter(pool, { name: 'burst', points: 10, seconds: 60 });
  const answers = await Promise.all(Array.from({ length: 30 }, () => limiter.consume('a')));
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(10);
});

test('who is limited cannot be read from the table', async () => {
  await makeLimiter(pool, { name: 'x', points: 1, seconds: 60 }).consume('10.1.2.3');
  const { rows } = await pool.query<{ key: string }>('select key from rate_limit');
  expect(rows.map(({ key }) => key).join()).not.toContain('10.1.2.3');
});
