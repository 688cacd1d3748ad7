import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { MERGED_MS, mergeAnnouncements } from './job-runner.server.ts';

const { pool } = await useDatabase();
const client = await pool.connect();
afterAll(() => client.release(true));
const merging = mergeAnnouncements(client);
let heard: unknown[] = [];
const listener = ({ channel, payload = '' }: { channel: string; payload?: string }) =>
  void heard.push(channel === 'jobs:insert' ? JSON.parse(payload) : [channel, payload]);
await merging.query('listen "jobs:insert"; listen other');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  merging.removeListener('notification', listener);
  heard = [];
});

const announce = (payload: string, channel = 'jobs:insert') =>
  merging.query('select pg_notify($1, $2)', [channel, payload]);

test('the first announcement of new jobs is heard at once, those that follow it as one with their sum', async () => {
  merging.on('notification', listener);
  for (const count of [1, 2, 3]) await announce(`{"r":${Math.random()},"count":${count}}`);
  await announce('{"count":-1}');
  expect(heard).toEqual([expect.objectContaining({ count: 1 })]);
  vi.advanceTimersByTime(MERGED_MS * 2);
  expect(heard.slice(1)).toEqual([{ count: 5 }]);
  // Nothing waits any more: the next one is a first one.
  vi.advanceTimersByTime(MERGED_MS * 2);
  await announce('{"count":7}');
  expect(heard.slice(2)).toEqual([{ count: 7 }]);
});

test('other notifications are heard one by one', async () => {
  merging.on('notification', listener);
  await announce('a', 'other');
  await announce('b', 'other');
  expect(heard).toEqual([
    ['other', 'a'],
    ['other', 'b'],
  ]);
});

test('who stopped listening hears nothing of what was waiting', async () => {
  merging.on('notification', listener);
  await announce('{"count":1}');
  await announce('{"count":1}');
  merging.removeListener('notification', listener);
  vi.advanceTimersByTime(MERGED_MS * 2);
  expect(heard).toEqual([{ count: 1 }]);
  expect(client.listenerCount('notification')).toBe(0);
});
