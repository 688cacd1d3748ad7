/**
 * Kills a primary PostgreSQL with everything it runs while people pay, promotes its synchronous standby, and compares our
 * books with the partners': nothing that was acknowledged is lost, and the service, which is not started again, is back
 * within fifteen seconds. Then a new standby is made, and the new primary is killed in its turn.
 *
 *   npm run drill -- failover [--purchases 60] [--rounds 2] [--port 18350]
 *
 * Takes Debian's PostgreSQL. Whether it ends well or by a signal: servers, service and folders are gone afterwards.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { application, purchase, type Purchase } from '../crash/purchase.ts';
import { makeRandom } from '../crash/random.ts';
import { startDoubles } from '../crash/doubles.ts';
import { compareBooks, runDriver, type Run, ArmedPoint, ServiceProcess } from '../crash/driver.ts';
import type { Findings } from '../crash/findings.ts';
import { field } from '../crash/retrying-client.ts';
import { ADMIN, Staff } from '../crash/staff.ts';
import { Pair, persistentRows } from './pair.ts';

const BACK_WITHIN_MS = 15_000;
const TRAVELLERS = 6;

await runDriver({
  name: 'failover',
  numbers: { purchases: 60, rounds: 2, port: 18_350 },
  drive,
});

async function drive(run: Run<'purchases' | 'rounds' | 'port', never>): Promise<Findings> {
  const { purchases, rounds, seed, port } = run.numbers;
  // PostgreSQL runs as another user than root.
  chmodSync(run.folder, 0o755);
  const pair = new Pair(run.folder, [port + 2, port + 3]);
  run.undo(() => pair.stop());
  await pair.start();
  console.log(`seed ${seed}: ${purchases} purchases, ${rounds} failovers; ${pair.version}`);

  const address = `http://127.0.0.1:${port}`;
  const armedPoint = new ArmedPoint();
  const books = openDatabase(pair.url, { poolSize: 4, name: 'failover' });
  run.undo(() => books.close());
  const ledger = persistentRows(books.pool);
  const doubles = await startDoubles({
    dataDir: run.theirFolder,
    port: port + 1,
    merchant: address,
    armedPoint,
    // No kill point is armed here, so nothing waits for one.
    committed: async () => undefined,
  });
  run.undo(() => doubles.close());
  const service = new ServiceProcess(run.ourFolder, port, {
    ...doubles.variables,
    ...ADMIN,
    DATABASE_URL: pair.url,
  });
  run.undo(() => service.end());
  await service.start();

  const done: Purchase[] = [];
  const progress = { begun: 0, failovers: 0 };
  const world = {
    address,
    doubles,
    staff: new Staff(address),
    armedPoint,
    random: makeRandom(seed),
    committed: async () => undefined,
  };
  const traveller = async () => {
    while (progress.begun < purchases || progress.failovers < rounds) {
      progress.begun += 1;
      done.push(await purchase(world, randomUUID()));
    }
  };

  /** Applies without paying; returns when it was acknowledged. */
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
          done.push({ number, applications: [number], paid: false, refund: null });
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
  const found = await compareBooks(ledger, doubles.pool, done);
  faults.push(...found.faults);
  if (!service.isRunning) faults.push('the service ended');
  return { figures: found.figures, faults };
}
