import { setTimeout as sleep } from 'node:timers/promises';
import { misbehave } from '~/features/payment/lab/paypal/payer.server.ts';
import type { Doubles } from './doubles.ts';
import type { Kill, KillPoint, Trap } from './kill-points.ts';
import type { Victim } from './victim.ts';

/** A point that nobody reaches in this time is not on anybody's way: the run itself is wrong. */
const UNREACHED_MS = 180_000;

/** Which call of the PayPal double is held for a point; the others are watched where they happen. */
const heldAtPaypal = {
  'paypal create': 'create',
  'paypal capture': 'capture',
  'paypal refund': 'refund',
} as const satisfies Partial<Record<KillPoint, string>>;

type Options = { victim: Victim; trap: Trap; doubles: Doubles; random: () => number };

/** Kills as planned, one after the other, and brings back to life. */
export class Killer {
  isDone = false;
  /** How often what was killed. */
  readonly counts: Record<string, number> = {};
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** `progress`, from 0 to 1: the kills are spread over the whole run, whatever its speed. */
  async run(plan: readonly Kill[], progress: () => number): Promise<void> {
    for (const [index, kill] of plan.entries()) {
      while (progress() < index / plan.length) await sleep(20);
      await this.#strike(kill);
      this.counts[kill] = (this.counts[kill] ?? 0) + 1;
      console.log(`kill ${index + 1} of ${plan.length}: ${kill}`);
      await this.#options.victim.revive();
    }
    this.isDone = true;
  }

  async #strike(kill: Kill): Promise<void> {
    const { victim, random } = this.#options;
    if (kill === 'service' || kill === 'database') {
      await sleep(random() * 400);
      return victim.kill(kill);
    }
    await this.#reached(kill);
    return victim.kill('service');
  }

  async #reached(point: KillPoint): Promise<void> {
    const { trap, doubles } = this.#options;
    const reached = trap.arm(point);
    const call = Object.entries(heldAtPaypal).find(([held]) => held === point)?.[1];
    if (call) await misbehave(doubles.paypal, call, 'held');
    const late = sleep(UNREACHED_MS, undefined, { ref: false }).then(() => {
      throw new Error(`Nobody came to "${point}"`);
    });
    await Promise.race([reached, late]);
  }
}
