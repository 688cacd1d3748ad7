import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { readConfig } from '../src/platform/config/config.server.ts';
import { runDueJobs, type JobHandlers } from '../src/platform/jobs/jobs.server.ts';
import { makeLog } from '../src/platform/log/log.server.ts';
import type { EmailMessage } from '../src/platform/mail/mail.server.ts';
import { assemblePlatform, type Platform } from '../src/platform/platform.server.ts';
import { useDatabase, type TestDatabase } from './database.ts';

export type TestPlatform = Platform & {
  /** What `mail.send` was given, oldest first. */
  sent: EmailMessage[];
  clock: { set(now: Date): void; advance(milliseconds: number): void };
  /** Runs every job that is due, and those that they enqueue. */
  runJobs(handlers: JobHandlers): Promise<void>;
  url: string;
};

export type TestPlatformOptions = {
  /** The time; it changes only by `clock`. */
  now?: Date;
  /** Environment variables besides the test's own. */
  variables?: Record<string, string>;
  /** To share one with other platforms; by default a clone of its own. */
  database?: TestDatabase;
};

/**
 * A platform on a database of its own, with files in a temporary folder, collected emails and a stopped clock. Call it
 * at the top of the test file: `const platform = await makeTestPlatform()`.
 */
export async function makeTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const database = options.database ?? (await useDatabase());
  const folder = mkdtempSync(join(tmpdir(), 'test-data-'));
  copyFileSync(join(inject('secretsFolder'), 'secrets.json'), join(folder, 'secrets.json'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let time = options.now ?? new Date('2026-11-23T10:00:00Z');
  const sent: EmailMessage[] = [];
  const config = readConfig({
    MODE: 'test',
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    GATEWAY_PROCESSING_MS: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...options.variables,
  });
  const platform = assemblePlatform(config, database, {
    log: makeLog({ level: config.logLevel }),
    mail: { send: async (message) => void sent.push(message), close: () => undefined },
    now: () => new Date(time),
  });
  return {
    ...platform,
    sent,
    url: database.url,
    clock: {
      set: (now) => void (time = now),
      advance: (milliseconds) => void (time = new Date(time.getTime() + milliseconds)),
    },
    runJobs: (handlers) => runDueJobs({ pool: database.pool, handlers, log: platform.log }),
  };
}
