import { checkLines } from './features/desk/setup/report.server.ts';
import { outside, runChecks } from './features/desk/setup/run-checks.server.ts';
import { hasObstacle } from './features/desk/setup/setup-check.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig, type Config } from './platform/config/config.server.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import { visitDatabase } from './platform/postgres/embedded/visit-database.server.ts';

/**
 * `npm run doctor`: lists what stands between this configuration and taking money, in order, each with what mends it.
 * Exit code 0: nothing does; 1: something does.
 */
await runCommand(async () => {
  const stack = new AsyncDisposableStack();
  try {
    const { config, mistakes } = read(process.env);
    const opened = await open(config, stack);
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

/** The configuration, and what live mode says against it; null where the variables make none. */
function read(variables: NodeJS.ProcessEnv): {
  config: Config | null;
  mistakes: readonly string[];
} {
  try {
    const config = readConfig(variables);
    return { config, mistakes: config.missingForLive };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: null, mistakes: mistakesInLiveMode(variables) };
  }
}

function mistakesInLiveMode(variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig({ ...variables, MODE: 'live' });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

/** The service's database; where there is none, why. */
async function open(config: Config | null, stack: AsyncDisposableStack) {
  if (!config) return { database: null, mistakes: [] };
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
