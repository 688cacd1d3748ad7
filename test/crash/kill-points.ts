/**
 * Points at which the service is killed on purpose. `ask`: while it asks about a captured payment. `notified`: after it
 * has committed, before it answers.
 */
const killPoints = [
  'card create',
  'card ask',
  'card notified',
  'card refund',
  'paypal create',
  'paypal capture',
  'paypal notified',
  'paypal refund',
] as const;
export type KillPoint = (typeof killPoints)[number];

/** Kills at random moments. */
const randomKills = ['service', 'database'] as const;
export type Kill = KillPoint | (typeof randomKills)[number];

/**
 * One kill point at a time is armed. The first to get there takes it, and reports when it is reached: the provider has
 * done its work, and the service has not stored it yet.
 */
export class ArmedPoint {
  #armed: KillPoint | null = null;
  #taken: KillPoint | null = null;
  #reached = Promise.withResolvers<void>();

  /** Resolves when the point is reached. */
  arm(point: KillPoint): Promise<void> {
    this.#armed = point;
    this.#taken = null;
    this.#reached = Promise.withResolvers();
    return this.#reached.promise;
  }

  /** True for the first one to get to the armed point. */
  take(point: KillPoint): boolean {
    if (this.#armed !== point) return false;
    this.#taken = point;
    this.#armed = null;
    return true;
  }

  /** Arms it again when the one who took it did not reach it. */
  rearm(): void {
    this.#armed ??= this.#taken;
    this.#taken = null;
  }

  reach(): void {
    this.#taken = null;
    this.#reached.resolve();
  }
}

/** Every point as often as asked, mixed with random kills, in an order that the seed repeats. */
export function killPlan(rounds: number, randomCount: number, random: () => number): Kill[] {
  const plan: Kill[] = Array.from({ length: rounds }, () => killPoints).flat();
  for (let count = 0; count < randomCount; count += 1)
    plan.push(randomKills[count % randomKills.length] ?? 'service');
  for (let last = plan.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [plan[last], plan[other]];
    if (a && b) [plan[last], plan[other]] = [b, a];
  }
  return plan;
}
