import type { CoverView } from '~/features/application/cover/cover-view.ts';
import type { PhoneCodes } from '~/features/application/phone/phone-codes.ts';
import type { CountryOption } from '~/features/catalog/picker/search.ts';
import type { Money } from '~/base/money.ts';
import type { FormAnswer, FormPage } from '~/features/form/page/use-form.tsx';
import type { Field } from '../rules/answers.ts';
import type { Plan } from '../rules/plans.ts';

/** What the form is shown from. */
export type InsuranceView = FormPage<Field> & {
  plans: readonly Plan[];
  countries: readonly CountryOption[];
  phoneCodes: PhoneCodes;
  cover: CoverView;
  photos: readonly KeptPhoto[];
  /** The dates that were just sent have changed the plan. */
  moved: PlanMove | null;
  /** The server's clock, in milliseconds since 1970. */
  now: number;
};

/** The form has replaced one plan by another. */
export type PlanMove = { from: Plan; to: Plan };

export type KeptPhoto = {
  id: string;
  name: string;
  size: number;
  /** It belongs to the application that is changed, and stays with it. */
  isStored: boolean;
};

/** What the form gets back when it is not left. */
export type InsuranceAnswer = FormAnswer<Field> & {
  photos?: readonly KeptPhoto[];
  /** The dates have changed the plan, which the page did not show yet. Nothing was stored. */
  planMoved?: PlanMove;
  /** The chosen plan costs something else than the page showed. Nothing was stored. */
  priceChange?: { before: Money; now: Money };
};
