import { textsIn } from '~/i18n/translations.server.ts';
import { outside, runChecks } from './run-checks.server.ts';
import { countsOf, hasObstacle, type Check, type CheckState } from './setup-check.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { inspectConfig, type Config } from '~/platform/config/config.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { visitDatabase } from '~/platform/postgres/embedded/visit-database.server.ts';

/**
 * Lists what stands between this configuration and taking money, in order, each with what mends it. Returns the exit
 * code: 0: nothing does; 1: something does.
 */
export async function doctor(environment: NodeJS.ProcessEnv): Promise<number> {
  const stack = new AsyncDisposableStack();
  try {
    const { config, mistakes } = inspectConfig(environment);
    const opened = await open(config, mistakes, stack);
    const checks = await runChecks(
      {
        config,
        mistakes: [...mistakes, ...opened.mistakes],
        mode: environment.MODE,
        database: opened.database,
      },
      outside(() => new Date()),
    );
    for (const line of checkLines(checks)) console.log(line);
    return hasObstacle(checks) ? 1 : 0;
  } finally {
    await stack.disposeAsync();
  }
}

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
    const { db, pool, close } = openDatabase(visited.url, { poolSize: 4 });
    stack.defer(close);
    return { database: { db, pool, url: visited.url }, mistakes: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { database: null, mistakes: error.mistakes };
    throw error;
  }
}

const marks: Record<CheckState, string> = { ok: 'ok     ', missing: 'MISSING', unknown: '?      ' };

/** The checks as lines for a terminal, in English: what was found, and below it what mends it. */
export function checkLines(checks: readonly Check[]): string[] {
  const t = textsIn('en', 'setup');
  const lines = checks.flatMap(({ id, state, found, mend }) => [
    `${marks[state]}  ${t(`check.${id}`)}`,
    ...found.map(({ code, values }) => `         ${t(`found.${code}`, values)}`),
    ...mend.map(({ kind, text }) => `         → ${t(`mend.${kind}`)}: ${text}`),
  ]);
  return [...lines, '', t('counts', countsOf(checks))];
}
