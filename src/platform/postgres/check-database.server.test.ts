import { expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { checkDatabase } from './migrate.server.ts';
import { ConfigError } from '../config/config-error.server.ts';
import { openDatabase } from './database.server.ts';
import { freePort } from '../config/port.server.ts';

const { url, pool } = await useDatabase();

async function mistake(change: (url: URL) => void): Promise<string> {
  const changed = new URL(url);
  change(changed);
  const { pool: tried, close } = openDatabase(changed.href);
  const error = await checkDatabase(tried, changed.href).catch((reason: unknown) => reason);
  await close();
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).not.toContain('secret-password');
  return String(error);
}

test('a database that answers is accepted', async () => {
  await expect(checkDatabase(pool, url)).resolves.toBeUndefined();
});

test.each([
  [
    'the password is wrong',
    (to: URL) => (to.password = 'secret-password'),
    'wrong account or password',
  ],
  ['there is no such database', (to: URL) => (to.pathname = '/none'), 'no such database'],
  ['there is no such host', (to: URL) => (to.hostname = 'none.invalid'), 'none.invalid'],
])('it is told when %s', async (_what, change, expected) => {
  expect(await mistake(change)).toContain(expected);
});

test('it is told when nothing listens there', async () => {
  const port = String(await freePort());
  expect(await mistake((to) => (to.port = port))).toContain('ECONNREFUSED');
});
