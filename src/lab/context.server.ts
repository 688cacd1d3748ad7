import { createContext } from 'react-router';
import type { Money } from '~/base/money.ts';
import type { SetCookie } from '~/platform/http/cookies.server.ts';
import type { Outcome } from '~/base/outcome.ts';

/** An order as the test pages show it; name and email only for lab orders. */
type LabOrder = { number: string; amount: Money; isLab: boolean };

/** What the test pages need from features above payment; passed in by `lab.server.ts`. */
export type LabContext = {
  /** In test mode true for everybody; in live mode for a signed-in administrator. */
  isOpen(request: Request): Promise<boolean>;
  /** The session of this browser, which from then on may start payments by call without naming an order. */
  session(request: Request): SetCookie;
  /** The configured card gateway's address for server calls; null without one. */
  gatewayEndpoint: string | null;
  /** The address of the card gateway's checkout for browsers. */
  gatewayPage: string | null;
  /** The unpaid order with that number; without a number a new lab order, in test mode. Null where there is none. */
  order(
    reference: string | null,
    about: { request: Request; language: string },
  ): Promise<LabOrder | null>;
  /** Begins a card payment of an order at the configured gateway. */
  startCard(
    number: string,
    by: { request: Request; address: string },
  ): Promise<Outcome<{ attemptId: string; paymentUrl: string }, { code: string }>>;
};

export const labContext = createContext<LabContext>();
