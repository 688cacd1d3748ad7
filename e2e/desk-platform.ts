import { join } from 'node:path';
import { readConfig } from '../src/platform/config/config.server.ts';
import { openDatabase } from '../src/platform/postgres/database.server.ts';
import { adoptedUrls } from '../src/platform/postgres/embedded/open-embedded.server.ts';
import { makeLog } from '../src/platform/log/log.server.ts';
import { assemblePlatform, type Platform } from '../src/platform/platform.server.ts';

/** Runs work on the database, files and secrets of the running service that keeps its data in this folder. */
export async function withPlatform<T>(
  dataDir: string,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  const running = await adoptedUrls(join(dataDir, 'postgres'));
  if (!running) throw new Error('No database runs: is the service up?');
  const { url } = running;
  const config = readConfig({
    MODE: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    // Above one dollar every refund of a reviewer needs a release.
    REFUND_MANAGER_ABOVE: '1.00',
  });
  const database = openDatabase(url, { poolSize: 4 });
  try {
    return await work(assemblePlatform(config, database, { log: makeLog({ level: 'silent' }) }));
  } finally {
    await database.close();
  }
}
