import { reencrypt, reencryptLines } from './app/reencrypt/reencrypt.server.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { makeSealer } from './platform/crypto/crypto.server.ts';
import { openFileStore } from './platform/files/open-store.server.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import { visitDatabase } from './platform/postgres/embedded/visit-database.server.ts';

/**
 * `npm run reencrypt`: seals with the first of ENCRYPTION_KEYS what another one sealed, beside a running service; `--
 * --check` only counts. Exit code 0: nothing is left; 1: something is, and it says where.
 */
await runCommand(async () => {
  const [, , , ...words] = process.argv;
  if (words.some((word) => word !== '--check')) {
    throw new ConfigError(['usage: npm run reencrypt [-- --check]']);
  }
  const config = readConfig(process.env);
  const store = openFileStore(config);
  const visited = await visitDatabase(config);
  const { db, pool, close } = openDatabase(visited.serviceUrl, { poolSize: 3, name: 'reencrypt' });
  try {
    const { encryptionKeys: dataKeys, lookupKeys: lookup } = config;
    const sealer = makeSealer({ data: dataKeys, lookup });
    const report = await reencrypt(
      { db, pool, store, sealer, dataKeys },
      { isCheck: words.length > 0, onProgress: (line) => console.log(line) },
    );
    for (const line of reencryptLines(report)) console.log(line);
    return Object.keys(report.left).length === 0 ? 0 : 1;
  } finally {
    store.close();
    await close();
    await visited.leave();
  }
});
