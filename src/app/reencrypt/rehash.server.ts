import type { Pool } from 'pg';
import { hashedColumns, hashesBesideValues } from './hashed-columns-store.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import { countServiceConnections, rehashAll } from '~/platform/reencrypt/rehash.server.ts';

/**
 * Once a newer key was put in front of LOOKUP_KEY, and while no process of the service runs, puts it on every keyed hash
 * and prints what was done. Returns the exit code: 0: all hashes are by the newest key; 1: they are mixed, and nothing
 * was changed.
 */
export async function rehash({
  config,
  pool,
  sealer,
}: {
  config: Pick<Config, 'lookupKeys'>;
  pool: Pool;
  sealer: Sealer;
}): Promise<number> {
  if (config.lookupKeys.length < 2) {
    throw new ConfigError([
      'LOOKUP_KEY: needs the newer key in front of those there are, with commas between them; npm run lale -- keys --rotate LOOKUP_KEY prints it',
    ]);
  }
  if ((await countServiceConnections(pool)) > 0) {
    throw new ConfigError(['The service runs: stop all of its processes first, workers too']);
  }
  const found = await rehashAll(pool, sealer, {
    telling: hashesBesideValues,
    hashed: hashedColumns,
  });
  const { newest, before, neither, done } = found;
  if (neither > 0 || (newest > 0 && before > 0)) {
    console.log(
      `Nothing was changed: of the hashes of passport numbers ${newest} are by the newest key, ${before} by those before it, ${neither} by neither.`,
    );
    return 1;
  }
  console.log(
    newest > 0
      ? `Nothing to do: all ${newest} hashes of passport numbers are by the newest key.`
      : `${done} hashes are by the newest key now. The service may start with it.`,
  );
  return 0;
}
