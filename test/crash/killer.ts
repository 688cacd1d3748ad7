import { setTimeout as sleep } from 'node:timers/promises';
import { playScenario } from '~/lab/partner.server.ts';
import type { Doubles } from './doubles.ts';
import type { Kill, KillPoint, ArmedPoint } from './kill-points.ts';
import type { Ledger } from './ledger.ts';
import type { ServiceProcess } from './service-process.ts';

/** A point not reached in so many purchases can never be: the run itself is wrong, however busy the machine is. */
const UNREACHED_PURCHASES = 400;
/** Without a purchase in this time the run has stopped. */
const STANDSTILL_MS = 15 * 60_000;
const LOOK_MS = 2000;

/** The call of PayPal's double that is held for a point; the others are watched where they happen. */
const heldAtPaypal = {
  'paypal create': 'create',
  'paypal capture': 'capture',
  'paypal refund': 'refund',
} as const satisfies Partial<Record<KillPoint, string>>;

type Options = {
  victim: ServiceProcess;
  armedPoint: ArmedPoint;
  doubles: Doubles;
  ledger: Ledger;
  random: () => number;
  /** Purchases finished so far. */
  done: () => number;
};

/** Kills as planned, one after the other, and restarts. */
export class Killer {
  isDone = false;
  /** Kills so far, by target. */
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
    const { armedPoint, doubles, ledger, done } = this.#options;
    let isReached = false;
    const reached = armedPoint.arm(point).then(() => void (isReached = true));
    const call = Object.entries(heldAtPaypal).find(([held]) => held === point)?.[1];
    if (call) await playScenario(doubles.paypal, call, 'held');
    const before = done();
    let last = { purchases: before, at: Date.now() };
    for (;;) {
      await Promise.race([reached, sleep(LOOK_MS, undefined, { ref: false })]);
      if (isReached) return;
      const purchases = done();
      if (purchases > last.purchases) last = { purchases, at: Date.now() };
      if (purchases - before > UNREACHED_PURCHASES) throw new Error(`Nobody came to "${point}"`);
      if (Date.now() - last.at > STANDSTILL_MS) throw new Error(`Nothing moves before "${point}"`);
      // The sweep would only ask two minutes after a payment.
      if (point === 'card ask') await askNow(ledger);
    }
  }
}

/** Has the service ask about every undecided payment now. */
async function askNow(ledger: Ledger): Promise<void> {
  await ledger.rows('update payment_attempt set ask_at = now() where ask_at > now()');
  await ledger.rows(`select graphile_worker.add_job('payment.sweep', job_key => 'crash:sweep')`);
}
