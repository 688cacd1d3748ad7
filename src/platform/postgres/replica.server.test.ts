import { afterEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { makeLog } from '../log/log.server.ts';
import { readFromReplica } from './replica.server.ts';

// The primary and what stands for its replica are two databases here: what is read tells which one it was.
const primary = await useDatabase();
const replica = await useDatabase();
const log = makeLog({ level: 'silent' });

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function open(url: string) {
  const reading = readFromReplica(url, primary.db, log);
  ends.push(reading.close);
  return reading.read;
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const whichDatabase = async (db: typeof primary.db) => {
  const { rows } = await db.execute<{ name: string }>('select current_database() as name');
  return rows[0]?.name;
};

describe('what may lag', () => {
  it('is read from the replica', async () => {
    const read = open(replica.url);
    expect(await read(whichDatabase)).toBe(nameOf(replica.url));
  });

  it('is read from the primary where there is no replica at that address', async () => {
    const nowhere = new URL(replica.url);
    nowhere.port = '9';
    const read = open(nowhere.href);
    expect(await read(whichDatabase)).toBe(nameOf(primary.url));
    // It is not waited for at every reading.
    const began = performance.now();
    await read(whichDatabase);
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('is read from the primary when the replica goes in the middle of a reading', async () => {
    const read = open(replica.url);
    const seen: (string | undefined)[] = [];
    const answer = await read(async (db) => {
      seen.push(await whichDatabase(db));
      if (seen.length === 1) await db.execute('select pg_terminate_backend(pg_backend_pid())');
      return seen.length;
    });
    expect(answer).toBe(2);
    expect(seen).toEqual([nameOf(replica.url), nameOf(primary.url)]);
  });

  it('fails where the reading itself is wrong, without asking twice', async () => {
    const read = open(replica.url);
    let readings = 0;
    const wrong = read(async (db) => {
      readings += 1;
      await db.execute('select nothing from nowhere');
    });
    await expect(wrong).rejects.toThrow();
    expect(readings).toBe(1);
  });
});
