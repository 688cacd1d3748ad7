import type { Closure } from '~/base/dates/closures.ts';
import type { Eligibility } from '~/features/catalog/eligibility.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import type { RefusedLines } from '../passport-reader/sent-lines.ts';
import type { FormAnswer, FormPage } from '~/features/form/page/use-form.tsx';
import type { Answers, CountryTerms, Field } from '../rules/answers.ts';
import type { PartyPlace } from '../party/party.ts';
import type { PriceList } from '../rules/price-list.ts';
import type { StepId } from '../rules/steps.ts';

/** The chosen nationality, named in the page's language. */
export type ChosenCountry = CountryTerms & { name: string };

/** Somebody who needs no e-visa, or cannot get one, while the others go on. */
export type LeftOut = {
  country: string;
  reason: Eligibility['reason'];
  /** How long they may stay without a visa, in days; null where they cannot go without one. */
  stayDays: number | null;
};

/** What every page of the wizard is shown from. */
export type StepView = FormPage<Field> & {
  step: StepId;
  /** Whom the traveller applies with; null for somebody alone. */
  party: PartyPlace | null;
  country: ChosenCountry | null;
  /** Answers of the other pages that this one depends on. */
  answers: Answers;
  /** What another tab has changed: see `other-nationality.ts`. */
  replaced: Typed;
  /** The server's clock, in milliseconds since 1970: prices and moments do not depend on the visitor's. */
  now: number;
  /** If it is paid at `now`, in milliseconds as well; null while no speed is chosen. */
  readyBy: number | null;
  /** What is charged now. */
  prices: PriceList;
  /** On which days the office is closed, as it is known now. */
  closures: readonly Closure[];
  /** Names of places that answers name by code. */
  places: Readonly<Record<string, string>>;
};

/** What a page gets back when it is not left. */
export type StepAnswer = FormAnswer<Field> & {
  /** The arrival asks for another speed than `typed` has: its price is shown first. */
  isSpeedMoved?: true;
  /** The nationality or document gets no e-visa: the page says what instead. */
  noEvisa?: true;
  /** The machine-readable lines that were not read, and why. */
  lines?: RefusedLines;
};

/** Answers that pages depend on beyond their own; personal details stay with the page that asks for them. */
export const sharedFields: readonly Field[] = [
  'countryId',
  'documentType',
  'hasSupportingDocument',
  'supportingDocumentType',
  'visaCountry',
  'residenceCountry',
  'supportingDocumentStartDate',
  'supportingDocumentEndDate',
  'purpose',
  'arrivalDate',
  'processingType',
];
