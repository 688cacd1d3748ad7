import { readFile } from 'node:fs/promises';
import { readErasures } from './features/desk/privacy/erasure-lines.ts';
import {
  listErasures,
  repeatedLines,
  repeatErasures,
} from './features/desk/privacy/repeat-erasures.server.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { makeSealer } from './platform/crypto/crypto.server.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import { visitDatabase } from './platform/postgres/embedded/visit-database.server.ts';

const USAGE = 'usage: npm run erasures -- --list | --repeat <file with that list, or the log>';

/**
 * `npm run erasures -- --list`: a line of JSON for each erasure, with ids alone. `-- --repeat <file>`: does those of a
 * list, or of the service's log, again where a backup of before was restored. Exit code 1: some have to wait.
 */
await runCommand(async () => {
  const [, , , what, path, ...more] = process.argv;
  const isList = what === '--list' && path === undefined;
  if (!isList && (what !== '--repeat' || !path || more.length > 0)) throw new ConfigError([USAGE]);
  const config = readConfig(process.env);
  const text = path ? await readFile(path, 'utf8') : '';
  const visited = await visitDatabase(config);
  const { db, close } = openDatabase(visited.serviceUrl, { poolSize: 1, name: 'erasures' });
  const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKeys });
  try {
    if (isList) {
      for (const erasure of await listErasures({ db, sealer })) {
        console.log(JSON.stringify({ erasure }));
      }
      return 0;
    }
    const done = await repeatErasures({ db, sealer, now: () => new Date() }, readErasures(text));
    for (const line of repeatedLines(done)) console.log(line);
    return done.waiting.length === 0 ? 0 : 1;
  } finally {
    await close();
    await visited.leave();
  }
});
