import fc from 'fast-check';
import { describe, it } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { finishHistory, historySteps } from './testing/commands.ts';
import { makePartner, type HistoryPartner } from './testing/partner.ts';
import { pureSystem, storedSystem, type System } from './testing/systems.ts';
import { makeApplication } from '../../../../test/make.ts';

/** `PAYMENT_HISTORIES=5000 PAYMENT_SEED=42`: more histories, or those of a failure, whose message names its seed. */
const wanted = Number(process.env.PAYMENT_HISTORIES ?? 160);
const seed = Number(process.env.PAYMENT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const LANES = 4;

const history = (size: number) => fc.commands(historySteps, { maxCommands: size });

async function play(
  steps: Iterable<fc.AsyncCommand<HistoryPartner, System>>,
  partner: HistoryPartner,
  system: System,
): Promise<void> {
  await fc.asyncModelRun(async () => ({ model: partner, real: system }), steps);
  await finishHistory(partner, system);
}

describe('whatever happens in whatever order, the six invariants hold', () => {
  it('by the rules alone, 4,000 times', async () => {
    const property = fc.asyncProperty(history(20), async (steps) => {
      const partner = makePartner('pure');
      await play(steps, partner, pureSystem(partner));
    });
    await fc.assert(property, { numRuns: 4000, seed, endOnFailure: false });
  }, 120_000);

  /** Each lane runs its histories one after the other on a database of its own, so that a seed repeats them. */
  it.concurrent.each(Array.from({ length: LANES }, (_, lane) => lane))(
    'with the database, lane %i',
    async (lane) => {
      const platform = platforms[lane];
      if (!platform) throw new Error('No such lane');
      const payments = makePayments(platform);
      let played = 0;
      const property = fc.asyncProperty(history(10), async (steps) => {
        const { order } = await makeApplication(platform, { paid: false });
        const partner = makePartner(`${lane}-${(played += 1)}`);
        await play(steps, partner, storedSystem(platform, payments, order, partner));
      });
      await fc.assert(property, { numRuns: Math.ceil(wanted / LANES), seed: seed + lane });
    },
    Math.max(60_000, wanted * 1000),
  );
});

const platforms = await Promise.all(Array.from({ length: LANES }, () => makeTestPlatform()));
