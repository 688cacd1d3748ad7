import { knownFiles, stillKnown } from './app/known-files-store.server.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { makeSealer } from './platform/crypto/crypto.server.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import type { FileStore } from './platform/files/file-store.server.ts';
import { moveFiles, moveReportLines } from './platform/files/move-files.server.ts';
import { openFileStore } from './platform/files/open-store.server.ts';
import { visitDatabase } from './platform/postgres/embedded/visit-database.server.ts';

const USAGE =
  'usage: npm run files:move -- <from> <to> [--remove-source]; each place is disk or an address like s3://bucket/prefix?endpoint=https://host';
const EVERY = 1000;

/**
 * `npm run files:move -- disk s3://…`: copies all files beside a running service and checks each. Exit code 0: every
 * file in use is complete in the target; 1: some are not, and they are named.
 */
await runCommand(async () => {
  const [, , , ...words] = process.argv;
  const [fromName, toName, ...more] = words.filter((word) => !word.startsWith('--'));
  const unknown = words.filter((word) => word.startsWith('--') && word !== '--remove-source');
  if (!fromName || !toName || more.length > 0 || unknown.length > 0) throw new ConfigError([USAGE]);
  const removeSource = words.includes('--remove-source');
  const config = readConfig(process.env);
  const [from, to] = [placeNamed(fromName), placeNamed(toName)];
  if (from.name === to.name) throw new ConfigError(['files:move: both places are the same']);
  if (removeSource && openFileStore(config).name === from.name) {
    throw new ConfigError([
      `files:move: the service of these variables keeps its files in ${from.name}; let FILES_URL name the other place and restart it before --remove-source`,
    ]);
  }
  await to.check();
  const visited = await visitDatabase(config);
  const { db, close } = openDatabase(visited.url, { poolSize: 2 });
  try {
    const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKeys });
    console.log(`From ${from.name} to ${to.name}.`);
    let reported = 0;
    const report = await moveFiles({
      from,
      to,
      sealer,
      known: knownFiles(db, sealer),
      removeSource,
      onProgress: (done) => {
        if (done - reported < EVERY) return;
        reported = done;
        console.log(`${done} files …`);
      },
    });
    const known = await stillKnown(
      db,
      report.findings.map(({ id }) => id),
    );
    const findings = report.findings.filter(({ id, kind }) => kind !== 'missing' || known.has(id));
    for (const line of moveReportLines({ ...report, findings })) console.log(line);
    return findings.length === 0 ? 0 : 1;
  } finally {
    from.close();
    to.close();
    await close();
    await visited.leave();
  }
});

function placeNamed(word: string): FileStore {
  return openFileStore(readConfig({ ...process.env, FILES_URL: word === 'disk' ? '' : word }));
}
