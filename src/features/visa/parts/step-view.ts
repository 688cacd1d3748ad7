import type { Typed } from '~/features/form/answers/controls.ts';
import type { Answers, CountryTerms, Field } from '../rules/answers.ts';
import type { Problem } from '../rules/rule.ts';
import type { PriceList } from '../rules/price-list.ts';
import type { StepId } from '../rules/steps.ts';

/** The chosen nationality, named in the page's language. */
export type ChosenCountry = CountryTerms & { name: string };

/** What every page of the wizard is shown from. */
export type StepView = {
  step: StepId;
  country: ChosenCountry | null;
  /** What the controls of this page hold. */
  typed: Typed;
  /** Answers of the other pages that this one depends on. */
  answers: Answers;
  /** The number of the unpaid application that is changed; null for a new one. */
  changing: string | null;
  /** Shown from the first where Next was pressed before. */
  problems: readonly Problem[];
  /** What another tab has changed: see `other-nationality.ts`. */
  replaced: Typed;
  /** The draft's version and this opening of the page: see `draft-content.ts` and `other-nationality.ts`. */
  version: number;
  page: string;
  /** The server's clock, in milliseconds since 1970: prices and moments do not depend on the visitor's. */
  now: number;
  /** If it is paid at `now`, in milliseconds as well; null while no speed is chosen. */
  readyBy: number | null;
  /** What is charged now. */
  prices: PriceList;
  /** Names of places that answers name by code. */
  places: Readonly<Record<string, string>>;
};

/** What a page gets back when it is not left. */
export type StepAnswer = {
  typed?: Typed;
  problems?: readonly Problem[];
  /** Answers from another tab that this page has replaced. */
  replaced?: Typed;
  /** The arrival asks for another speed than `typed` has: its price is shown first. */
  isSpeedMoved?: true;
  /** The nationality or document gets no e-visa: the page says what instead. */
  noEvisa?: true;
  /** The e-mail field of "Save and continue later". */
  later?: {
    email: string;
    code: 'required' | 'invalid' | 'too_many' | 'mistyped';
    suggestion?: string;
  };
  /** Set in the browser: the request did not reach us. */
  offline?: true;
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
