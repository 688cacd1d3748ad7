import { expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { releaseOnce } from './job-runner.server.ts';

const { pool } = await useDatabase();

test('a client that is given back twice is given back once', async () => {
  const forgiving = releaseOnce(pool);
  const release = await new Promise<() => void>((resolve, reject) => {
    forgiving.connect((error, _client, done) => (error ? reject(error) : resolve(done)));
  });
  release();
  expect(release).not.toThrow();
  const { rows } = await forgiving.query<{ one: number }>('select 1 as one');
  expect(rows).toEqual([{ one: 1 }]);
});
