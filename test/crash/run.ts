/**
 * Kills the service and its database (kill -9) while travellers apply, pay by card and PayPal and get money back: on
 * purpose between a partner's deed and our knowledge of it (`kill-points.ts`), and at random moments. Then checks our
 * books against the partners': nothing lost, nothing doubled, nothing left undecided.
 *
 *   npm run test:crash [-- --purchases 200 --rounds 4 --kills 20 --seed 7]
 *
 * Whether it ends well, with an error or by a signal: service, databases and folders are gone afterwards. Only what was
 * found faulty is kept.
 *
 * rounds: how often each kill point is hit. kills: those at random. purchases: at least so many; the shop stays open until
 * every kill has happened.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readOurs, readTheirs } from './books.ts';
import { startDoubles } from './doubles.ts';
import { findings } from './findings.ts';
import { Killer } from './killer.ts';
import { killPlan, Trap } from './kill-points.ts';
import { Ledger } from './ledger.ts';
import { purchase, type Purchase } from './purchase.ts';
import { makeRandom } from './random.ts';
import { settle } from './settle.ts';
import { ADMIN, Staff } from './staff.ts';
import { stopAsked } from './stop-asked.ts';
import { Victim } from './victim.ts';

const { values } = parseArgs({
  options: {
    purchases: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '4' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    port: { type: 'string', default: '18340' },
  },
});
const purchases = Number(values.purchases);
const rounds = Number(values.rounds);
const kills = Number(values.kills);
const seed = Number(values.seed);
const port = Number(values.port);
const TRAVELLERS = 6;

const random = makeRandom(seed);
/** What has to be undone, whatever the end; the last begun is undone first. */
const begunThings = new AsyncDisposableStack();
let isFolderKept = false;
const folder = mkdtempSync(join(tmpdir(), 'lale-crash-'));
begunThings.defer(() => {
  if (!isFolderKept) rmSync(folder, { recursive: true, force: true });
});

let exitCode = 1;
try {
  exitCode = await Promise.race([drive(), stopAsked()]);
} catch (error) {
  console.error('The run was given up:', error);
} finally {
  await begunThings.disposeAsync();
}
process.exit(exitCode);

/** The whole run; answers the exit code. */
async function drive(): Promise<number> {
  const [ourFolder, theirFolder] = [join(folder, 'service'), join(folder, 'partners')];
  mkdirSync(ourFolder);
  mkdirSync(theirFolder);
  const plan = killPlan(rounds, kills, random);
  console.log(`seed ${seed}: ${purchases} purchases, ${plan.length} kills`);

  const address = `http://127.0.0.1:${port}`;
  const trap = new Trap();
  const ledger = new Ledger(ourFolder);
  const committed = (attemptId: string) => ledger.committed(attemptId);
  const doubles = await startDoubles({
    dataDir: theirFolder,
    port: port + 1,
    merchant: address,
    trap,
    committed,
  });
  begunThings.defer(() => doubles.close());
  const victim = new Victim(ourFolder, port, { ...doubles.variables, ...ADMIN });
  begunThings.defer(() => victim.end());
  begunThings.defer(() => ledger.close());
  await victim.start();
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);

  const done: Purchase[] = [];
  let next = 0;
  const killer = new Killer({ victim, trap, doubles, ledger, random, done: () => done.length });
  const world = { address, doubles, staff: new Staff(address), trap, random, committed };

  async function traveller() {
    while (next < purchases || !killer.isDone) {
      next += 1;
      done.push(await purchase(world, randomUUID()));
    }
  }

  const killing = killer.run(plan, () => done.length / purchases);
  await Promise.all([killing, ...Array.from({ length: TRAVELLERS }, traveller)]);

  console.log(`${done.length} purchases after ${seconds()} s; letting sweep and jobs settle them`);
  const restless = await settle(ledger, doubles.pool);
  const found = findings(await readOurs(ledger), await readTheirs(doubles.pool), done);
  if (restless) found.faults.push(`no rest: ${restless}`);
  console.log(JSON.stringify({ ...found.figures, ...killer.counts, seconds: seconds() }));
  for (const fault of found.faults) console.error(`FAULT: ${fault}`);
  const failed = found.faults.length;
  isFolderKept = failed > 0;
  if (isFolderKept) console.error(`The data is kept in ${folder}`);
  console.log(`${failed === 0 ? 1 : 0} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
