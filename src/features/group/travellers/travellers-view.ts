import type { Closure } from '~/base/dates/closures.ts';
import type { Money } from '~/base/money.ts';
import type { LinkRefusal } from '~/features/form/draft/save-later.tsx';
import type { Problem } from '~/features/insurance/rules/check.ts';
import type { PaymentStart } from '~/features/order/payment-start.ts';
import type { StepId } from '~/features/visa/rules/steps.ts';
import type { LeftOut } from '~/features/visa/parts/step-view.ts';

/** One insurance that a traveller can take along. */
export type PlanOffered = { id: string; name: string; price: Money };

/** One traveller of a party, as the list shows them. */
export type TravellerView = {
  position: number;
  /** From 1, without the gaps of those who were removed. */
  number: number;
  /** As typed so far; empty before the details. */
  name: string;
  country: string | null;
  documentType: string;
  /** Where their answers go on; null once they are complete. */
  todo: { step: StepId; url: string } | null;
  /** Complete by themselves, but not beside the others. */
  problem: 'arrivalDate.differs' | 'passportNumber.repeated' | null;
  /** What is looked at, and changed, once complete. */
  reviewUrl: string;
  /** If all are paid now, in milliseconds since 1970; null while no speed is chosen. */
  readyBy: number | null;
  speed: string;
  /** Of the e-visa; null while it is not known. */
  price: Money | null;
  /** The plan that was chosen, and whether it needs a parent's ID. */
  insurance: { chosen: string | null; isChild: boolean };
};

export type TravellersView = {
  travellers: readonly TravellerView[];
  /** The same for all, YYYY-MM-DD; null before the first one has chosen it. */
  arrivalDate: string | null;
  /** Days on which the operator closes the office, beside the official holidays. */
  closures: readonly Closure[];
  plans: readonly PlanOffered[];
  /** Of whoever's answers are complete, with their insurance. */
  total: Money;
  isReady: boolean;
  leftOut: LeftOut | null;
  /** Of the draft that the page's form belongs to, for the link by e-mail. */
  version: number;
  page: string;
  /** The server's clock, in milliseconds since 1970. */
  now: number;
};

/** What the page gets back when it is not left. */
export type TravellersAnswer = {
  later?: LinkRefusal;
  payment?: PaymentStart;
  /** What is due now is not what the page showed. */
  newTotal?: Money;
  oldTotal?: Money | null;
  /** At the photos of a parent's ID. */
  problems?: readonly Problem[];
  offline?: true;
};

/** The control that chooses a traveller's insurance. */
export const planControl = (position: number): string => `insurance-${position}`;
