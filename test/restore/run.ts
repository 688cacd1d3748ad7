/**
 * The restore drill: fills a service with many applications, backs it up by `npm run lale -- backup`, restores it into an empty
 * folder by `npm run lale -- restore`, and compares the two.
 *
 *   npm run drill -- restore [--applications 100000] [--documents 10000]
 *
 * Prints what each took; fails where something differs, or where backup and restore took more than ten minutes together.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDrill, type CommandResult } from './drill.ts';

const LIMIT_SECONDS = 600;
const { values } = parseArgs({
  options: {
    applications: { type: 'string', default: '100000' },
    documents: { type: 'string', default: '10000' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'lale-restore-'));
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o755);
const lineOf = (name: string, { seconds, peakMegabytes }: CommandResult) =>
  `${name}: ${seconds.toFixed(1)} s, at most ${Math.round(peakMegabytes)} MB of memory`;
try {
  const began = performance.now();
  const { backup, restore, faults } = await runDrill({
    folder,
    applications: Number(values.applications),
    documents: Number(values.documents),
    now: new Date(),
  });
  const seconds = backup.seconds + restore.seconds;
  if (seconds > LIMIT_SECONDS) {
    faults.push(`backup and restore took ${seconds.toFixed(0)} s instead of ${LIMIT_SECONDS}`);
  }
  console.log(backup.output.trim());
  console.log(restore.output.trim());
  console.log(lineOf('backup', backup));
  console.log(lineOf('restore', restore));
  console.log(
    `${values.applications} applications, ${values.documents} documents; the whole drill took ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  for (const fault of faults) console.error(`FAULT: ${fault}`);
  console.log(`${faults.length === 0 ? 1 : 0} passed, ${faults.length} failed`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
