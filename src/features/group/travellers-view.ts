import type { ServiceCode } from '~/features/order/service-code.ts';
import type { Office } from '~/base/dates/office.ts';
import type { Money } from '~/base/money.ts';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import type { LinkRefusal } from '~/features/form/draft/save-later.tsx';
import type { DraftFile } from '~/features/form/draft/draft-content.ts';
import type { InsuranceProblem } from '~/features/insurance/rules/check.ts';
import type { PaymentStart } from '~/features/order/payment-start.ts';
import type { StepId } from '~/features/visa/rules/step-ids.ts';
import type { LeftOut } from '~/features/visa/parts/step-view.ts';

/** An insurance plan that a traveller can add. */
export type PlanOffered = { id: ServiceCode; price: Money };

/** One traveller of a party, as the list shows them. */
export type TravellerView = {
  position: number;
  /** An e-visa, insured or not, or an insurance alone. */
  kind: 'visa' | 'insurance';
  /** From 1, without gaps for removed travellers. */
  number: number;
  /** As typed so far; empty before the step with the name. */
  name: string;
  country: string | null;
  documentType: string;
  /** The next step of their answers; null once they are complete. */
  todo: { step: StepId | 'insurance'; url: string } | null;
  /** A problem in combination with other travellers' answers, where their own are complete. */
  problem: 'arrivalDate.differs' | 'passportNumber.repeated' | null;
  /** The page on which complete answers are checked. */
  reviewUrl: string;
  /** The promised moment if the order is paid now, in milliseconds since 1970; null while no speed is chosen. */
  readyBy: number | null;
  /** Null while none is chosen, as its price. */
  speed: ServiceCode | null;
  /** Of the e-visa; null while unknown. */
  price: Money | null;
  /** The plan that was chosen, and whether it needs a parent's ID. */
  insurance: { chosen: string | null; isChild: boolean };
};

export type TravellersView = {
  travellers: readonly TravellerView[];
  /** The same for all with an e-visa, YYYY-MM-DD; null before the first traveller has chosen it. */
  arrivalDate: string | null;
  /** Days on which the operator closes the office, beside the official holidays. */
  office: Office;
  plans: readonly PlanOffered[];
  /** The path of the insurer's terms; null where no insurance is sold. */
  insurerTerms: string | null;
  /** Of the travellers with complete answers, insurance included. */
  total: Money;
  isReady: boolean;
  /** Photos of a parent's ID that have arrived. */
  photos: readonly DraftFile[];
  leftOut: LeftOut | null;
  /** The version of the first traveller's draft, which the page's form belongs to, for the link by email. */
  version: number;
  page: string;
  /** The server's clock, in milliseconds since 1970. */
  now: number;
};

/** What an action returns when the page stays. */
export type TravellersAnswer = {
  later?: LinkRefusal;
  /** The address typed for a link that was not asked for. */
  beside?: TypedAnswers;
  payment?: PaymentStart;
  /** The amount due now, where it differs from the page's. */
  newTotal?: Money;
  oldTotal?: Money | null;
  /** Problems of the photos of a parent's ID. */
  problems?: readonly InsuranceProblem[];
  offline?: true;
};

/** The name of the control for a traveller's plan. */
export const planControl = (position: number): string => `insurance-${position}`;
