import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { makeLog, redactUrl } from './log.server.ts';

const { db, pool } = await useDatabase();
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

function written(fields: object): string {
  let out = '';
  makeLog({ destination: { write: (line) => void (out += line) } }).error(fields, 'message');
  return out;
}

test('what names a person or a right is taken out of addresses', () => {
  expect(redactUrl('/status?ref=TRV123&x=1')).toBe('/status?ref=[redacted]&x=1');
  expect(redactUrl('/a?data=abc%20d#top')).toBe('/a?data=[redacted]#top');
  expect(redactUrl('/a?x=1&token=t.t.t')).toBe('/a?x=1&token=[redacted]');
  expect(redactUrl('/application/resume/x7Qd_93kfLw0PzTn4aBcDe')).toBe(
    '/application/resume/[redacted]',
  );
  expect(redactUrl('/api/applications/TRV7K2M9QXD4HPBR?x=1')).toBe(
    '/api/applications/[redacted]?x=1',
  );
  expect(redactUrl('/api/admin/insurance-applications')).toBe('/api/admin/insurance-applications');
  expect(redactUrl('/a?preference=1')).toBe('/a?preference=1');
});

test('bodies, headers, cookies and payloads are never written', () => {
  const line = written({
    requestId: 'r1',
    body: { name: 'Zeynep' },
    headers: { cookie: 'Zeynep' },
    job: { payload: 'Zeynep' },
    request: { body: 'Zeynep', headers: 'Zeynep' },
    url: '/status?ref=Zeynep',
  });
  expect(line).not.toContain('Zeynep');
  expect(line).toContain('r1');
});

test.each([
  ['a wrong value', () => db.execute(sql`select ${'Zeynep'}::int`), '22P02'],
  ['a unique value', () => pool.query(`insert into p values ('Zeynep')`), '23505'],
])(
  'of a statement that failed on %s the log tells the code, not the value',
  async (_what, run, code) => {
    await pool.query(`create table if not exists p (name text primary key)`);
    await pool.query(`insert into p values ('Zeynep') on conflict do nothing`);
    const line = written({ err: await failure(run()) });
    expect(line).toContain(code);
    expect(line).not.toContain('Zeynep');
  },
);

test('an ordinary error keeps its message, its cause and where it happened', () => {
  const line = written({
    err: new TypeError('no such thing', { cause: new Error('see ?ref=Zeynep') }),
  });
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    err: {
      type: 'TypeError',
      message: 'no such thing',
      stack: expect.stringContaining('log.server.test'),
      cause: { message: 'see ?ref=[redacted]' },
    },
  });
});
