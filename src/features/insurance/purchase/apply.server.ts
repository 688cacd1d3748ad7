import type { Language } from '~/base/languages.ts';
import { sameMoney, type Money } from '~/base/money.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Answers, CheckContext } from '../rules/answers.ts';
import { check, type Problem } from '../rules/check.ts';
import { plansOnSale } from '../store/plan-store.server.ts';
import { inputOf, submitInsurance, type InsuranceInput, type Submitted } from './submit.server.ts';
import { isMinor } from '../rules/trip.ts';
import { allCountries } from '~/features/catalog/store.server.ts';

export type Applied =
  | { kind: 'made'; submitted: Submitted }
  | { kind: 'invalid'; problems: readonly Problem[] }
  /** No plan is on sale, because no insurer's terms are in force. */
  | { kind: 'not_on_sale' }
  | { kind: 'wrong_total'; due: Money };

export type Applying = {
  /** The nationalities, read before the transaction begins. */
  countries: readonly Country[];
  answers: Answers;
  /** The price that the caller agreed to: the one a page showed, or a call named; null for neither. */
  total: Money | null;
  language: Language;
  sessionHash: Buffer | null;
  /** Stores the answers in another way than as a new application. */
  store?: (input: InsuranceInput, now: Date) => Promise<Submitted>;
  /** The photos of a parent's ID. */
  photos: {
    count: number;
    /** Attaches them to the application; returns the problems of those that are no photos. */
    handOver: (tx: Transaction, applicationId: string) => Promise<readonly Problem[]>;
  };
};

/** What answers are checked against at a moment. */
async function checkContextAt(
  query: Queryable,
  { now, countries, photos }: { now: Date; countries: readonly Country[]; photos: number },
): Promise<CheckContext> {
  const plans = await plansOnSale(query, now);
  const codes = new Set(countries.map(({ code }) => code));
  return { now, plans, photos, readPhone, isNationality: (code) => codes.has(code) };
}

/**
 * Checks and stores an application with its order, in the caller's transaction, which must be rolled back for any
 * result but `made`. An adult's photos are not attached.
 */
export async function applyForInsurance(
  tx: Transaction,
  platform: Pick<Platform, 'sealer' | 'now'>,
  { countries, answers, total, language, sessionHash, store, photos }: Applying,
): Promise<Applied> {
  const now = platform.now();
  const checkContext = await checkContextAt(tx, { now, countries, photos: photos.count });
  if (checkContext.plans.length === 0) return { kind: 'not_on_sale' };
  const { problems, values } = check(answers, checkContext);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const input = inputOf(values, checkContext.plans);
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

/** What the answers on a page are checked against now; not inside a transaction. */
export const checkContextNow = async (platform: Platform, photos: number): Promise<CheckContext> =>
  checkContextAt(platform.db, {
    now: platform.now(),
    countries: await allCountries(platform),
    photos,
  });
