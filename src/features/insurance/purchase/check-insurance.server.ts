import { isMinor } from '~/base/dates/dates.ts';
import { sameMoney, type Money } from '~/base/money.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { InsuranceAnswers, CheckContext } from '../rules/answers.ts';
import { check, type InsuranceProblem } from '../rules/check.ts';
import { plansOnSale } from '../store/plan-store.server.ts';
import { toInsuranceInput, type InsuranceInput } from './submit.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { languages } from '~/base/languages.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { searchText, withoutSentenceArticle } from '~/features/catalog/picker/search.ts';
import { synonyms } from '~/features/catalog/picker/synonyms.ts';

export type CheckedInsurance =
  /** `isMinor`: a parent's ID goes with it. */
  | { kind: 'valid'; input: InsuranceInput; isMinor: boolean; now: Date }
  | { kind: 'invalid'; problems: readonly InsuranceProblem[] }
  /** No plan is on sale, because no insurer's terms are in force. */
  | { kind: 'not_on_sale' }
  | { kind: 'wrong_total'; due: Money };

/** What answers are checked against at a moment. */
async function checkContextAt(
  query: Queryable,
  { now, countries, photos }: { now: Date; countries: readonly Country[]; photos: number },
): Promise<CheckContext> {
  const plans = await plansOnSale(query, now);
  const codes = new Set(countries.map(({ code }) => code));
  return { now, plans, photos, readPhone, isNationality: (code) => codes.has(code) };
}

/** Checks answers that are to be stored in the same transaction. `photos`: number of photos of a parent's ID. */
export async function checkInsurance(
  tx: Transaction,
  platform: Pick<Platform, 'now'>,
  {
    countries,
    answers,
    total,
    photos,
  }: {
    /** The nationalities, read before the transaction begins. */
    countries: readonly Country[];
    answers: InsuranceAnswers;
    /** The price that the caller agreed to: the one a page showed, or a call named; null for neither. */
    total: Money | null;
    photos: number;
  },
): Promise<CheckedInsurance> {
  const now = platform.now();
  const checkContext = await checkContextAt(tx, { now, countries, photos });
  if (checkContext.plans.length === 0) return { kind: 'not_on_sale' };
  const { problems, values } = check(answers, checkContext);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const input = toInsuranceInput(values, checkContext.plans);
  const due = input.plan.price;
  if (total !== null && !sameMoney(total, due)) return { kind: 'wrong_total', due };
  const { traveller, trip } = input;
  return { kind: 'valid', input, isMinor: isMinor(traveller.dateOfBirth, trip.travelDate), now };
}

/** What the answers on a page are checked against now; not inside a transaction. */
export const currentInsuranceCheckContext = async (
  platform: Platform,
  photos: number,
): Promise<CheckContext> =>
  checkContextAt(platform.db, {
    now: platform.now(),
    countries: await allCountries(platform),
    photos,
  });

/**
 * The code of a nationality given by its three letters or by its name in any of our languages ("MEX", "Mexico",
 * "Méjico"); null for others. Names must be complete.
 */
export function nationalityNamed(countries: readonly Country[], text: string): string | null {
  const code = text.trim().toUpperCase();
  if (countries.some((country) => country.code === code)) return code;
  const typed = searchText(text);
  if (typed === '') return null;
  const named = (wanted: string) =>
    countries.find(
      (country) =>
        languages.some((language) => searchText(countryName(country, language.code)) === wanted) ||
        (synonyms[country.code] ?? []).some((synonym) => searchText(synonym) === wanted),
    );
  return (named(typed) ?? named(withoutSentenceArticle(typed)))?.code ?? null;
}
