import { dryRunRetention } from './retention-jobs.server.ts';
import { listDue } from './enforce-retention.server.ts';
import { dryRunLines, dueLines } from './retention-lines.ts';
import { latestDeletions } from '~/features/desk/privacy-cases/deletion-record-store.server.ts';
import { runCommand } from '~/platform/config/command.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { readConfig } from '~/platform/config/config.server.ts';
import { assemblePlatform } from '~/platform/platform.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { visitDatabase } from '~/platform/postgres/embedded/visit-database.server.ts';

const DAY_MS = 24 * 3_600_000;
const MOST_RECORDS = 50;

/**
 * `npm run retention -- --dry-run`: what the jobs that delete would delete today, with the numbers of the applications; with `--days 30` also what they would
 * delete until then. `-- --deleted`: what they deleted, newest first.
 */
await runCommand(async () => {
  const [, , , first, option, days = '', ...more] = process.argv;
  const ahead = option === '--days' && /^\d{1,4}$/.test(days) ? Number(days) : null;
  const isRun = first === '--dry-run' && (option === undefined || ahead !== null);
  const isList = first === '--deleted' && option === undefined;
  if (more.length > 0 || (!isRun && !isList)) {
    throw new ConfigError(['usage: npm run retention -- --dry-run [--days 30] | --deleted']);
  }
  const config = readConfig(process.env);
  const visited = await visitDatabase(config);
  const database = openDatabase(visited.serviceUrl, { poolSize: 1, name: 'retention' });
  const platform = assemblePlatform(config, database);
  try {
    if (isList) {
      for (const { at, cause, ...counts } of await latestDeletions(database.db, MOST_RECORDS)) {
        for (const line of dryRunLines([{ job: cause, counts }], at)) console.log(line);
      }
      return 0;
    }
    const now = platform.now();
    const moments = [now, ...(ahead === null ? [] : [new Date(now.getTime() + ahead * DAY_MS)])];
    for (const at of moments) {
      for (const line of dryRunLines(await dryRunRetention(platform, at), at)) console.log(line);
      const due = await listDue({ db: database.db, now: () => at });
      for (const line of dueLines(due)) console.log(line);
    }
    return 0;
  } finally {
    platform.mail.close();
    platform.files.close();
    await database.close();
    await visited.leave();
  }
});
