import { mkdir, stat } from 'node:fs/promises';
import { backUp } from './app/backup/back-up.server.ts';
import { encrypterFor } from './platform/backup/backup-keys.server.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { makeSealer } from './platform/crypto/crypto.server.ts';
import { openFileStore } from './platform/files/open-store.server.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import { visitDatabase } from './platform/postgres/embedded/visit-database.server.ts';

const USAGE = 'usage: npm run backup -- <folder>; the backup becomes a new folder in it';

/**
 * `npm run backup -- <folder>`: writes database and files, encrypted for BACKUP_RECIPIENT, beside a running service. Exit
 * code 0: written, and nothing lacks; 1: written, but the file store did not have files that rows name.
 */
await runCommand(async () => {
  const [, , , parent, ...more] = process.argv;
  if (!parent || parent.startsWith('--') || more.length > 0) throw new ConfigError([USAGE]);
  const config = readConfig(process.env);
  const { backupRecipient: recipient } = config;
  if (!recipient) {
    throw new ConfigError([
      'BACKUP_RECIPIENT: the public key that backups are encrypted for is needed; npm run backup:keys makes a pair',
    ]);
  }
  encrypterFor(recipient);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  if (!(await stat(parent)).isDirectory()) throw new ConfigError([USAGE]);
  const store = openFileStore(config);
  const visited = await visitDatabase(config);
  const { db, pool, close } = openDatabase(visited.serviceUrl, { poolSize: 2, name: 'backup' });
  try {
    const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKeys });
    const { folder, manifest, bytes } = await backUp(
      { config, db, pool, store, sealer, now: () => new Date() },
      { parent, recipient },
      (line) => console.log(line),
    );
    const { deletedMeanwhile, missing } = manifest.files;
    console.log(`${folder}: ${bytes} bytes, encrypted for BACKUP_RECIPIENT.`);
    if (deletedMeanwhile.length > 0) {
      console.log(`${deletedMeanwhile.length} files were deleted with their rows meanwhile.`);
    }
    for (const id of missing) console.log(`missing: ${id}`);
    if (missing.length > 0) {
      console.log(`${missing.length} files that rows name are not in ${store.name}.`);
    }
    return missing.length === 0 ? 0 : 1;
  } finally {
    store.close();
    await close();
    await visited.leave();
  }
});
