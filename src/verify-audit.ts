import { firstDayOfAuditTrail } from './features/staff/jobs/jobs.server.ts';
import { reportLines } from './features/staff/audit/audit-report.ts';
import { verifyTrail } from './features/staff/audit/audit-seal.server.ts';
import { runCommand } from './platform/config/command.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { makeSealer } from './platform/crypto/crypto.server.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import { visitDatabase } from './platform/postgres/embedded/visit-database.server.ts';

/**
 * `npm run audit:verify`: the check of the desk's audit page, independent of the desk. Exit code 0: the trail is
 * unchanged; 1: it is not.
 */
await runCommand(async () => {
  const config = readConfig(process.env);
  const visited = await visitDatabase(config);
  const { db, close } = openDatabase(visited.url, { poolSize: 1 });
  try {
    const now = () => new Date();
    const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKeys });
    const verification = await verifyTrail({ db, now, sealer }, firstDayOfAuditTrail(now()));
    for (const line of reportLines(verification)) console.log(line);
    return verification.findings.length === 0 ? 0 : 1;
  } finally {
    await close();
    await visited.leave();
  }
});
