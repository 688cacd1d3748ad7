import type { CoverView } from '~/features/application/cover-table.tsx';
import type { PhoneCodes } from '~/features/application/phone-codes.ts';
import type { AgeExemption } from '~/features/catalog/age-notes.ts';
import type { NotedCountry } from '~/features/catalog/notes.ts';
import type { CountryOption } from '~/features/catalog/picker/search.ts';
import type { Money } from '~/base/money.ts';
import type { DraftFile, PartyPlace } from '~/features/form/draft/draft-content.ts';
import type { FormAnswer, FormPage } from '~/features/form/page/use-form.tsx';
import type { InsuranceField } from '../rules/answers.ts';
import type { Plan } from '../rules/plans.ts';

/** The data of the form's page. */
export type InsuranceView = FormPage<InsuranceField> & {
  plans: readonly Plan[];
  countries: readonly CountryOption[];
  phoneCodes: PhoneCodes;
  cover: CoverView;
  photos: readonly DraftFile[];
  /** Türkiye, in the page's language: every insurance is for it. */
  destination: string;
  /**
   * Set for a nationality that came here for lack of a supporting document, or at an age that needs no visa
   * (`isExempt`), with a note on its rules.
   */
  undocumented: {
    note: NotedCountry | null;
    exemption: AgeExemption | null;
    isExempt: boolean;
  } | null;
  /** The place among several travellers; null for somebody alone. */
  party: PartyPlace | null;
  /** The draft of the page before is gone. */
  isGone: boolean;
  /** Set where the dates that were just submitted have changed the plan. */
  moved: PlanMove | null;
  /** The server's clock, in milliseconds since 1970. */
  now: number;
};

/** The form has selected another plan than before. */
export type PlanMove = { from: Plan; to: Plan };

/** What the action returns when the page stays. */
export type InsuranceAnswer = FormAnswer<InsuranceField> & {
  photos?: readonly DraftFile[];
  /** The draft of the page is gone; what was sent has begun another. */
  isGone?: true;
  /** The dates have selected another plan than the page showed. Nothing was stored. */
  planMoved?: PlanMove;
  /** The chosen plan's price differs from the one on the page. Nothing was stored. */
  priceChange?: { before: Money; now: Money };
};
