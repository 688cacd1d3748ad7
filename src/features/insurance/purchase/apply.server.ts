import type { Language } from '~/base/languages.ts';
import { sameMoney, type Money } from '~/base/money.ts';
import { readPhone } from '~/features/application/phone/read-phone.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { DEFAULT_DESTINATION, type Answers, type Situation } from '../rules/answers.ts';
import { check, type Problem } from '../rules/check.ts';
import { keptDestination } from './destination.server.ts';
import { plansOnSale } from '../store/plan-store.server.ts';
import { inputOf, submitInsurance, type InsuranceInput, type Submitted } from './submit.server.ts';
import { isMinor } from '../rules/trip.ts';
import { allCountries } from '~/features/catalog/store.server.ts';

export type Applied =
  | { kind: 'made'; submitted: Submitted }
  | { kind: 'invalid'; problems: readonly Problem[] }
  /** No plan is sold at the moment: without an insurer's terms none is. */
  | { kind: 'not_on_sale' }
  | { kind: 'wrong_total'; due: Money };

export type Applying = {
  /** The nationalities there are, read before the transaction begins. */
  countries: readonly Country[];
  answers: Answers;
  /** What the caller means to pay: what a page showed for the plan, or a call named; null where neither said anything. */
  total: Money | null;
  language: Language;
  sessionHash: Buffer | null;
  /** Stores the answers otherwise than as a new application. */
  store?: (input: InsuranceInput, now: Date) => Promise<Submitted>;
  /** The parent's ID as it came along. */
  photos: {
    count: number;
    /** Gives them to the application; whatever is wrong with one of them is a problem. */
    handOver: (tx: Transaction, applicationId: string) => Promise<readonly Problem[]>;
  };
};

/** What answers are judged against at this moment. */
export async function situationAt(
  query: Queryable,
  { now, countries, photos }: { now: Date; countries: readonly Country[]; photos: number },
): Promise<Situation> {
  const plans = await plansOnSale(query, now);
  const codes = new Set(countries.map(({ code }) => code));
  return { now, plans, photos, readPhone, isNationality: (code) => codes.has(code) };
}

/**
 * Checks and stores an application with its order, in the caller's transaction; anything but `made` has to undo it. The
 * photos of somebody who is of age are left where they are.
 */
export async function applyForInsurance(
  tx: Transaction,
  platform: Pick<Platform, 'sealer' | 'now'>,
  { countries, answers, total, language, sessionHash, store, photos }: Applying,
): Promise<Applied> {
  const now = platform.now();
  const situation = await situationAt(tx, { now, countries, photos: photos.count });
  if (situation.plans.length === 0) return { kind: 'not_on_sale' };
  const { problems, values } = check(answers, situation);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const input = inputOf(
    { ...values, destination: keptDestination(values.destination ?? DEFAULT_DESTINATION) },
    situation.plans,
  );
  const due = input.plan.price;
  if (total !== null && !sameMoney(total, due)) return { kind: 'wrong_total', due };
  const submission = { language, sessionHash, now };
  const submitted = store
    ? await store(input, now)
    : await submitInsurance(tx, platform.sealer, input, submission);
  const { traveller, trip } = input;
  if (isMinor(traveller.dateOfBirth, trip.travelDate)) {
    const wrong = await photos.handOver(tx, submitted.id);
    if (wrong.length > 0) return { kind: 'invalid', problems: wrong };
  }
  return { kind: 'made', submitted };
}

/** What the answers on a page are judged against now; never within a transaction. */
export const situationNow = async (platform: Platform, photos: number): Promise<Situation> =>
  situationAt(platform.db, {
    now: platform.now(),
    countries: await allCountries(platform),
    photos,
  });
