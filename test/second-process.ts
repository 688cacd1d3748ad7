import { afterAll } from 'vitest';
import { openDatabase } from '../src/platform/postgres/database.server.ts';
import {
  followInvalidations,
  listenForInvalidations,
  type Invalidations,
} from '../src/platform/postgres/invalidations.server.ts';
import type { Platform } from '../src/platform/platform.server.ts';
import { makeTestPlatform, type TestPlatform, type TestPlatformOptions } from './platform.ts';

type SecondProcess = TestPlatform & {
  invalidations: Invalidations;
  /** Connections requested from its pool so far: every statement outside a transaction requests one. */
  acquired(): number;
};

/** A platform on another one's database with its own connections, memory and listening, like a second process. */
export async function startSecondProcess(
  url: string,
  options: Omit<TestPlatformOptions, 'database'> = {},
): Promise<SecondProcess> {
  const { db, pool, close } = openDatabase(url, { poolSize: 5 });
  afterAll(close);
  let acquired = 0;
  pool.on('acquire', () => void acquired++);
  const platform = await makeTestPlatform({ ...options, database: { db, pool, url } });
  return { ...platform, invalidations: listenAsProcess(platform, url), acquired: () => acquired };
}

/** Lets a platform listen as `openPlatform` does. */
export function listenAsProcess(
  platform: Pick<Platform, 'db' | 'pool' | 'log'>,
  url: string,
): Invalidations {
  const listening = openDatabase(url, { poolSize: 1 });
  const invalidations = listenForInvalidations(listening.pool, platform.log, { checkMs: 200 });
  followInvalidations(invalidations, [platform.db, platform.pool]);
  afterAll(async () => {
    await invalidations.close();
    await listening.close();
  });
  return invalidations;
}
