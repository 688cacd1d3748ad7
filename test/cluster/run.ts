/**
 * Three web processes and two workers of the production build over one PostgreSQL and one S3-compatible store, behind a
 * small proxy. Travellers apply and pay, staff approve with a PDF and give money back, while
 * 1. processes are killed (kill -9) and started again;
 * 2. the next release, with one migration more, is started beside the old one, which goes on over the new schema;
 * 3. web processes are restarted one after the other, workers in between: not one request may fail.
 * Then our books are compared with the partners', as after `npm run drill -- crash`.
 *
 *   npm run drill -- cluster [--restarts 20 --kills 8 --seed 7 --old ../checkout-of-before]
 *
 * The next release is this code with one migration more, which adds a column, an index and a table. The old one is the same
 * code without it, unless `--old` names a checkout of an earlier commit that is built: then two versions of the code work
 * on the same rows.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { startPostgres } from '~/platform/postgres/embedded/open-embedded.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import { startDoubles } from '../crash/doubles.ts';
import { compareBooks, runDriver, type Run, ArmedPoint } from '../crash/driver.ts';
import type { Findings } from '../crash/findings.ts';
import { Ledger } from '../crash/books.ts';
import { purchase, type Purchase } from '../crash/purchase.ts';
import { makeRandom } from '../crash/random.ts';
import { ADMIN, Staff } from '../crash/staff.ts';
import { startS3 } from '../s3.ts';
import { Member } from './member.ts';
import { Proxy } from './proxy.ts';
import { checkFollows, makeNextRelease, makeRelease } from './releases.ts';
import { approve, visit } from './visitors.ts';

const TRAVELLERS = 2;
/** Milliseconds that old and new processes run side by side. */
const SIDE_BY_SIDE_MS = 5000;
/** Milliseconds; the proxy checks ten times a second, and a busy machine delays it. */
const GRACE_MS = 2000;

await runDriver({
  name: 'cluster',
  numbers: { restarts: 20, kills: 8, port: 18_360 },
  paths: ['old'],
  drive,
});

async function drive(run: Run<'restarts' | 'kills' | 'port', 'old'>): Promise<Findings> {
  const { restarts, kills, seed, port } = run.numbers;
  const { folder, ourFolder, theirFolder, undo, seconds } = run;
  const random = makeRandom(seed);
  const old = makeRelease(join(folder, 'old'), run.paths.old);
  const next = makeNextRelease(join(folder, 'next'));
  checkFollows(old, next);
  console.log(`seed ${seed}: ${kills} kills, ${restarts} restarts`);

  const postgres = await startPostgres({
    dataDir: join(ourFolder, 'postgres'),
    log: makeLog({ level: 'error' }),
    settings: { max_connections: '200' },
  });
  undo(() => postgres.stop());
  const s3 = await startS3();
  undo(() => s3.close());
  const address = `http://127.0.0.1:${port}`;
  const ledger = new Ledger(ourFolder);
  undo(() => ledger.close());
  const armedPoint = new ArmedPoint();
  const committed = (attemptId: string) => ledger.committed(attemptId);
  const doubles = await startDoubles({
    dataDir: theirFolder,
    port: port + 1,
    merchant: address,
    armedPoint,
    committed,
  });
  undo(() => doubles.close());

  const ports = [port + 2, port + 3, port + 4];
  const proxy = new Proxy(ports);
  undo(() => proxy.close());
  await proxy.listen(port);
  const shared = {
    logs: ourFolder,
    isReady: (one: number) => proxy.isReady(one),
    variables: {
      ...doubles.variables,
      ...s3.variables(),
      ...ADMIN,
      DATABASE_URL: postgres.url,
      DATABASE_POOL_SIZE: '10',
      DATA_DIR: ourFolder,
      PUBLIC_URL: address,
      TRUST_PROXY: 'yes',
      GATEWAY_PROCESSING_MS: '0',
      DRAIN_GRACE_MS: String(GRACE_MS),
      LOG_LEVEL: 'error',
    },
  };
  const webs = ports.map((at, index) => {
    const name = `web ${index + 1}`;
    return new Member({ ...shared, kind: 'web', name, port: at });
  });
  const workers = [1, 2].map(
    (index) => new Member({ ...shared, kind: 'worker', name: `worker ${index}`, port: port + 5 }),
  );
  const all = [...webs, ...workers];
  undo(async () => {
    await Promise.all(all.map((one) => one.kill()));
  });
  // The first one migrates and fills the database.
  for (const member of all) await member.start(old);
  console.log(`${webs.length} web processes and ${workers.length} workers after ${seconds()} s`);

  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const done: Purchase[] = [];
  const staff = new Staff(address);
  const world = { address, doubles, staff, armedPoint, random, committed };
  async function traveller() {
    while (!isOver()) done.push(await purchase(world, randomUUID()));
  }
  const faults: string[] = [];
  const traffic = Promise.all([
    visit(address, { isOver, done }),
    approve(address, { isOver, done, staff, ledger }),
    ...Array.from({ length: TRAVELLERS }, traveller),
  ]);
  traffic.catch(() => undefined);
  const beside = (work: Promise<unknown>) => Promise.race([work, traffic]);

  const failuresBefore = () => proxy.failures.length;

  // 1. Kills: only requests in progress may fail.
  for (let kill = 0; kill < kills; kill++) {
    const victim = all[Math.floor(random() * all.length)];
    if (!victim) continue;
    await beside(sleep(300 + random() * 700));
    await victim.kill();
    await beside(sleep(random() * 500));
    await beside(victim.start(old));
    console.log(`kill ${kill + 1} of ${kills}: ${victim.name}`);
  }
  const cutByKills = failuresBefore();
  await beside(sleep(1000));

  // 2. and 3. Restarts: nothing may fail.
  const quietFrom = failuresBefore();
  const answeredFrom = proxy.answered;
  const restart = async (member: Member) => {
    const from = failuresBefore();
    const code = await member.stop();
    if (code !== '0') faults.push(`${member.name} ended with ${code}`);
    await beside(member.start(next));
    if (failuresBefore() > from) console.error(`a request failed while ${member.name} restarted`);
  };
  let besideOld = 0;
  for (let count = 0; count < restarts; count++) {
    const member = webs[count % webs.length];
    if (!member) continue;
    await beside(restart(member));
    if (count === 0) {
      const answered = () =>
        webs.slice(1).reduce((sum, one) => sum + proxy.answeredBy(one.port), 0);
      const before = answered();
      await beside(sleep(SIDE_BY_SIDE_MS));
      besideOld = answered() - before;
      const columns = await ledger.rows(
        `select 1 from information_schema.columns where table_name = 'application' and column_name = 'next_release'`,
      );
      if (columns.length !== 1) faults.push('the new process did not migrate');
      if (besideOld === 0) faults.push('the old processes answered nothing over the new schema');
    }
    // Old and new workers run side by side for a while, too.
    const worker = workers[count - webs.length];
    if (worker) await beside(restart(worker));
    console.log(`restart ${count + 1} of ${restarts}: ${member.name}, ${seconds()} s`);
  }
  const failed = proxy.failures.slice(quietFrom);
  const answeredInRestarts = proxy.answered - answeredFrom;
  for (const { what, why } of failed.slice(0, 5)) console.error(`failed: ${what}: ${why}`);
  if (failed.length > 0) faults.push(`${failed.length} requests failed while processes restarted`);

  over.abort();
  const [, approved] = await traffic;
  if (approved === 0) faults.push('nothing was approved');
  console.log(
    `${done.length} applications after ${seconds()} s; letting sweep and jobs settle them`,
  );
  const found = await compareBooks(ledger, doubles.pool, done);
  faults.push(...found.faults);

  for (const member of all) {
    const code = await member.stop();
    if (code !== '0') faults.push(`${member.name} ended with ${code}`);
  }
  const figures = {
    ...found.figures,
    approved,
    kills,
    cutByKills,
    restarts,
    answeredInRestarts,
    failedInRestarts: failed.length,
    sentToAnother: proxy.retried,
    refusedBusy: proxy.busy,
    answeredByOldOverNewSchema: besideOld,
    seconds: seconds(),
  };
  return { figures, faults };
}
