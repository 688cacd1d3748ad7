import type { Office } from '~/base/dates/office.ts';
import type { NotedCountry } from '~/features/catalog/notes.ts';
import type { Eligibility } from '~/features/catalog/eligibility.ts';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import type { RefusedLines } from '../passport-reader/sent-lines.ts';
import type { FormAnswer, FormPage } from '~/features/form/page/use-form.tsx';
import type { PartyPlace } from '~/features/form/draft/draft-content.ts';
import type { VisaAnswers, CountryTerms } from '../rules/answers.ts';
import type { VisaField } from '../rules/questions.ts';
import type { PriceList } from '../rules/price-list.ts';
import type { StepId } from '../rules/step-ids.ts';
import type { SpeedsInTime } from './summary.ts';

/** The chosen nationality, named in the page's language. */
export type ChosenCountry = CountryTerms & { name: string };

/** A traveller who needs no e-visa, or cannot get one, while the others continue. */
export type LeftOut = {
  country: string;
  eligibility: Eligibility;
  /** The rule by which the traveller's age needs no visa. */
  note?: NotedCountry;
};

/** The data of every wizard page. */
export type StepView = FormPage<VisaField> & {
  step: StepId;
  /** The place in a party; null for a single traveller. */
  party: PartyPlace | null;
  country: ChosenCountry | null;
  /** Answers of other pages that this one depends on. */
  answers: VisaAnswers;
  /** What another tab has changed: see `other-nationality.ts`. */
  replaced: TypedAnswers;
  /** The server's clock, in milliseconds since 1970, so that prices and moments do not depend on the visitor's. */
  now: number;
  /** The promised moment if it is paid at `now`, in milliseconds; null while no speed is chosen. */
  readyBy: number | null;
  /** What is charged now. */
  prices: PriceList;
  inTime: SpeedsInTime;
  /** The steps with problems, without this one. */
  open: readonly StepId[];
  /** Closures known now. */
  office: Office;
  /** Names of places that answers contain as codes. */
  places: Readonly<Record<string, string>>;
};

/** What an action returns when the page stays. */
export type StepAnswer = FormAnswer<VisaField> & {
  /** The arrival needs another speed than the page had, whose price is shown first. */
  isSpeedMoved?: true;
  /** There is no e-visa for the nationality or document: the page says what to do instead. */
  noEvisa?: true;
  /** The machine-readable lines that could not be read, and why. */
  lines?: RefusedLines;
};

/** Answers that other pages depend on; personal details are only sent to the page that asks for them. */
export const sharedFields: readonly VisaField[] = [
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

/** The button of a traveller who gets no e-visa, to be insured with the others. */
export const INSURE = 'insure';
