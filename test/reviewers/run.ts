/**
 * Two reviewers work side by side at the desk's pages while travellers apply and pay: they take the next one, hand in, ask
 * the authority, put off, ask for corrections, approve with and without a PDF, deliver, reject and undo, sometimes the same
 * case at the same moment, sometimes twice. Then compares what each was told with what is stored: nothing lost, nothing
 * doubled; and our books with the partners'.
 *
 *   npm run drill -- reviewers [--minutes 30 --waiting 40 --seed 7]
 *
 * waiting: applications that wait to be handed in; travellers apply until there are so many.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { withPlatform } from '../../e2e/desk-platform.ts';
import { Ledger } from '../crash/books.ts';
import { startDoubles } from '../crash/doubles.ts';
import { ArmedPoint, compareBooks, runDriver, ServiceProcess, type Run } from '../crash/driver.ts';
import type { Findings } from '../crash/findings.ts';
import { payAtOnce, type Purchase } from '../crash/purchase.ts';
import { makeRandom } from '../crash/random.ts';
import { ADMIN, Staff } from '../crash/staff.ts';
import { Reviewer, type Effect, type Shift } from './reviewer.ts';
import { workDone } from './work-done.ts';

/** The longest in which a decision can be undone, with some time to send what it causes. */
const UNDO_MS = 12_000;

await runDriver({
  name: 'reviewers',
  numbers: { minutes: 1, waiting: 40, port: 18_380 },
  drive,
});

async function drive(run: Run<'minutes' | 'waiting' | 'port', never>): Promise<Findings> {
  const { minutes, waiting, seed, port } = run.numbers;
  console.log(`seed ${seed}: ${minutes} minutes`);
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
  const service = new ServiceProcess(run.ourFolder, port, { ...doubles.variables, ...ADMIN });
  run.undo(() => service.end());
  run.undo(() => ledger.close());
  await service.start();

  const staff = await withPlatform(run.ourFolder, async (platform) => [
    await storeStaff(platform, { name: 'E. Aydın' }),
    await storeStaff(platform, { name: 'D. Kaya' }),
  ]);
  const over = Date.now() + minutes * 60_000;
  const isOver = () => Date.now() > over;
  const random = makeRandom(seed);
  const travellers = { address, doubles, staff: new Staff(address), armedPoint, random, committed };
  const done: Purchase[] = [];
  async function apply() {
    while (!isOver()) {
      const [{ count } = { count: 0 }] = await ledger.rows<{ count: number }>(
        `select count(*)::int from application where status = 'pending' and kind = 'visa'`,
      );
      if (count < waiting) done.push(await payAtOnce(travellers, randomUUID()));
      else await sleep(200);
    }
  }

  const effects: Effect[] = [];
  const failures: string[] = [];
  const shift: Omit<Shift, 'random'> = {
    address,
    isOver,
    effects,
    failures,
    open: new Map(),
    newestDecision: async (staffId, number) => {
      const [newest] = await ledger.rows<{ id: string }>(
        `select d.id from desk_decision d join application a on a.id = d.application_id
         where d.staff_id = $1 and a.number = $2 and d.undone_at is null order by d.at desc limit 1`,
        [staffId, number],
      );
      return newest?.id ?? null;
    },
  };
  const reviewers = staff.map(
    (one, index) => new Reviewer(one, { ...shift, random: makeRandom(seed + index + 1) }),
  );
  await Promise.all([apply(), apply(), ...reviewers.map((one) => one.work())]);
  console.log(`${effects.length} actions after ${run.seconds()} s; letting jobs finish`);
  await sleep(UNDO_MS);
  const books = await compareBooks(ledger, doubles.pool, done);
  const work = await workDone(ledger, effects, {
    staffIds: staff.map(({ id }) => id),
    dataDir: run.ourFolder,
  });
  return {
    faults: [...new Set(failures), ...work.faults, ...books.faults],
    figures: {
      ...work.figures,
      refusals: reviewers.reduce((sum, one) => sum + one.refusals, 0),
      applications: books.figures.applications ?? 0,
      refunds: books.figures.refunds ?? 0,
      emails: books.figures.emails ?? 0,
      seconds: run.seconds(),
    },
  };
}
