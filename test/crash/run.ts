/**
 * Kills the service and its database (kill -9) while travellers apply, pay by card and PayPal and get money back: on
 * purpose after a partner has done something and before we have stored it (`killPoints`), and at random moments.
 * Then moves the promises of what was bought around this moment and kills it while it refunds those that were missed.
 * At last checks our books against the partners': nothing lost, nothing doubled, nothing left undecided, and every missed
 * promise made up for once.
 *
 *   npm run drill -- crash [--purchases 200 --rounds 4 --kills 20 --copies 1000 --late 6 --seed 7]
 *
 * Whether it ends well, with an error or by a signal: service, databases and folders are gone afterwards. Only what was
 * found faulty is kept.
 *
 * rounds: how often each kill point is hit. kills: those at random. copies: orders that may miss their promise, beside
 * those that were bought. late: the kills while missed promises are refunded.
 * purchases: at least so many; they go on until every kill has happened.
 */
import { randomUUID } from 'node:crypto';
import { startDoubles } from './doubles.ts';
import {
  compareBooks,
  runDriver,
  type Run,
  Killer,
  killPlan,
  ArmedPoint,
  ServiceProcess,
} from './driver.ts';
import type { Findings } from './findings.ts';
import { Ledger } from './books.ts';
import { copyOrder, missPromises } from './promises.ts';
import { purchase, type Purchase } from './purchase.ts';
import { makeRandom } from './random.ts';
import { ADMIN, Staff } from './staff.ts';

const TRAVELLERS = 6;

await runDriver({
  name: 'crash',
  numbers: { purchases: 200, rounds: 4, kills: 20, copies: 1000, late: 6, port: 18_340 },
  drive,
});

async function drive(
  run: Run<'purchases' | 'rounds' | 'kills' | 'copies' | 'late' | 'port', never>,
): Promise<Findings> {
  const { purchases, rounds, kills, copies, late, seed, port } = run.numbers;
  const random = makeRandom(seed);
  const plan = killPlan(rounds, kills, random);
  console.log(`seed ${seed}: ${purchases} purchases, ${plan.length} kills`);

  const address = `http://127.0.0.1:${port}`;
  const armedPoint = new ArmedPoint();
  const ledger = new Ledger(run.ourFolder);
  const committed = (attemptId: string) => ledger.committed(attemptId);
  const doubles = await startDoubles({
    dataDir: run.theirFolder,
    port: port + 1,
    merchant: address,
    armedPoint,
    committed,
  });
  run.undo(() => doubles.close());
  const victim = new ServiceProcess(run.ourFolder, port, { ...doubles.variables, ...ADMIN });
  run.undo(() => victim.end());
  run.undo(() => ledger.close());
  await victim.start();

  const done: Purchase[] = [];
  let next = 0;
  const killer = new Killer({
    victim,
    armedPoint,
    doubles,
    ledger,
    random,
    done: () => done.length,
  });
  const world = { address, doubles, staff: new Staff(address), armedPoint, random, committed };

  async function traveller() {
    while (next < purchases || !killer.isDone) {
      next += 1;
      done.push(await purchase(world, randomUUID()));
    }
  }

  const killing = killer.run(plan, () => done.length / purchases);
  await Promise.all([killing, ...Array.from({ length: TRAVELLERS }, traveller)]);

  done.push(...(await copyOrder(ledger, doubles.pool, copies)));
  await missPromises({ ledger, victim, random }, late);
  console.log(
    `${done.length} purchases after ${run.seconds()} s; letting sweep and jobs settle them`,
  );
  const { figures, faults } = await compareBooks(ledger, doubles.pool, done);
  return { figures: { ...figures, ...killer.counts, seconds: run.seconds() }, faults };
}
