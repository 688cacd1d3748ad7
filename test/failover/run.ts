/**
 * Kills a primary PostgreSQL with everything it runs while people pay, promotes its synchronous standby, and compares our
 * books with the partners': nothing that was acknowledged is lost, and the service, which is not started again, is back
 * within fifteen seconds. Then a new standby is made, and the new primary is killed in its turn.
 *
 *   npm run test:failover -- [--purchases 60] [--rounds 2] [--port 18350]
 *
 * Takes Debian's PostgreSQL. Whether it ends well or by a signal: servers, service and folders are gone afterwards.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '~/platform/database.server.ts';
import { application } from '../crash/application.ts';
import { readOurs, readTheirs } from '../crash/books.ts';
import { startDoubles } from '../crash/doubles.ts';
import { findings } from '../crash/findings.ts';
import { Trap } from '../crash/kill-points.ts';
import { field } from '../crash/line.ts';
import { purchase, type Purchase } from '../crash/purchase.ts';
import { makeRandom } from '../crash/random.ts';
import { settle } from '../crash/settle.ts';
import { ADMIN, Staff } from '../crash/staff.ts';
import { stopAsked } from '../crash/stop-asked.ts';
import { Victim } from '../crash/victim.ts';
import { Pair } from './pair.ts';
import { persistentRows } from './persistent-rows.ts';

const BACK_WITHIN_MS = 15_000;
const TRAVELLERS = 6;

const { values } = parseArgs({
  options: {
    purchases: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    port: { type: 'string', default: '18350' },
  },
});
const purchases = Number(values.purchases);
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const port = Number(values.port);

/** What has to be undone, whatever the end; the last begun is undone first. */
const begun = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'lale-failover-'));
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o755);
begun.defer(() => rmSync(folder, { recursive: true, force: true }));

let exitCode = 1;
try {
  exitCode = await Promise.race([drive(), stopAsked()]);
} catch (error) {
  console.error('The run was given up:', error);
} finally {
  await begun.disposeAsync();
}
process.exit(exitCode);

/** The whole run; answers the exit code. */
async function drive(): Promise<number> {
  const [ourFolder, theirFolder] = [join(folder, 'service'), join(folder, 'partners')];
  mkdirSync(ourFolder);
  mkdirSync(theirFolder);
  const pair = new Pair(folder, [port + 2, port + 3]);
  begun.defer(() => pair.stop());
  await pair.start();
  console.log(`seed ${seed}: ${purchases} purchases, ${rounds} failovers; ${pair.version}`);

  const address = `http://127.0.0.1:${port}`;
  const trap = new Trap();
  const books = openDatabase(pair.url, { poolSize: 4, name: 'failover' });
  begun.defer(() => books.close());
  const ledger = persistentRows(books.pool);
  const doubles = await startDoubles({
    dataDir: theirFolder,
    port: port + 1,
    merchant: address,
    trap,
    // No trap is armed here, so nobody waits for it.
    committed: async () => undefined,
  });
  begun.defer(() => doubles.close());
  const service = new Victim(ourFolder, port, {
    ...doubles.variables,
    ...ADMIN,
    DATABASE_URL: pair.url,
  });
  begun.defer(() => service.end());
  await service.start();

  const done: Purchase[] = [];
  const progress = { begun: 0, failovers: 0 };
  const world = {
    address,
    doubles,
    staff: new Staff(address),
    trap,
    random: makeRandom(seed),
    committed: async () => undefined,
  };
  const traveller = async () => {
    while (progress.begun < purchases || progress.failovers < rounds) {
      progress.begun += 1;
      done.push(await purchase(world, randomUUID()));
    }
  };

  /** One who applies and never pays; answers when it was acknowledged. */
  const applyOnceBack = async (): Promise<number> => {
    const key = randomUUID();
    const body = JSON.stringify(application());
    for (;;) {
      try {
        const response = await fetch(`${address}/api/applications`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body,
          signal: AbortSignal.timeout(1000),
        });
        if (response.status === 201) {
          const at = performance.now();
          const number = field(await response.json(), 'applicationNumber');
          done.push({ number, paid: false, refund: null });
          return at;
        }
      } catch {
        // Not yet.
      }
      await sleep(50);
    }
  };

  const faults: string[] = [];
  const failovers = async () => {
    for (let round = 1; round <= rounds; round += 1) {
      while (done.length < (purchases * round) / (rounds + 1)) await sleep(20);
      const before = done.length;
      const killedAt = performance.now();
      await pair.killPrimary();
      const promoted = await pair.promote();
      const promotedAt = performance.now();
      const back = await applyOnceBack();
      const away = Math.round(back - killedAt);
      console.log(
        `failover ${round}: ${before} purchases before it; the standby took ${Math.round(promoted)} ms to be promoted, the service accepted an application ${Math.max(0, Math.round(back - promotedAt))} ms later, ${away} ms after the kill`,
      );
      if (away > BACK_WITHIN_MS) faults.push(`failover ${round}: back after ${away} ms`);
      if (round < rounds) await pair.addStandby();
      progress.failovers = round;
    }
  };
  await Promise.all([failovers(), ...Array.from({ length: TRAVELLERS }, traveller)]);

  console.log(`${done.length} purchases; letting sweep and jobs settle them`);
  const restless = await settle(ledger, doubles.pool);
  const found = findings(await readOurs(ledger), await readTheirs(doubles.pool), done);
  faults.push(...found.faults);
  if (restless) faults.push(`no rest: ${restless}`);
  if (!service.isRunning) faults.push('the service ended');
  console.log(JSON.stringify(found.figures));
  for (const fault of faults) console.error(`FAULT: ${fault}`);
  console.log(`${faults.length === 0 ? 1 : 0} passed, ${faults.length} failed`);
  return faults.length === 0 ? 0 : 1;
}
