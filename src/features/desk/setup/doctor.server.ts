import { checkLines } from './report.server.ts';
import { outside, runChecks } from './run-checks.server.ts';
import { hasObstacle } from './setup-check.ts';
import { runCommand } from '~/platform/config/command.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { inspectConfig, type Config } from '~/platform/config/config.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { visitDatabase } from '~/platform/postgres/embedded/visit-database.server.ts';

/**
 * `npm run doctor`: lists what stands between this configuration and taking money, in order, each with what mends it.
 * Exit code 0: nothing does; 1: something does.
 */
await runCommand(async () => {
  const stack = new AsyncDisposableStack();
  try {
    const { config, mistakes } = inspectConfig(process.env);
    const opened = await open(config, mistakes, stack);
    const checks = await runChecks(
      {
        config,
        mistakes: [...mistakes, ...opened.mistakes],
        mode: process.env.MODE,
        database: opened.database,
      },
      outside(() => new Date()),
    );
    for (const line of checkLines(checks)) console.log(line);
    return hasObstacle(checks) ? 1 : 0;
  } finally {
    await stack.disposeAsync();
  }
});

/** The service's database; where there is none, why. One that would be reached in the clear is not asked. */
async function open(
  config: Config | null,
  mistakes: readonly string[],
  stack: AsyncDisposableStack,
) {
  const isRefused =
    config?.mode === 'live' && mistakes.some((mistake) => /^(DATABASE_|DATA_DIR)/.test(mistake));
  if (!config || isRefused) return { database: null, mistakes: [] };
  try {
    const visited = await visitDatabase(config);
    stack.defer(() => visited.leave());
    const { db, pool, close } = openDatabase(visited.serviceUrl, { poolSize: 4 });
    stack.defer(close);
    return { database: { db, pool, url: visited.serviceUrl }, mistakes: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { database: null, mistakes: error.mistakes };
    throw error;
  }
}
