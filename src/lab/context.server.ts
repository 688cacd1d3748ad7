import { createContext } from 'react-router';
import type { Money } from '~/base/money.ts';
import type { Outcome } from '~/base/outcome.ts';

/** An order as the test pages show it; name and e-mail are hidden where it is not a lab order. */
export type LabOrder = { number: string; amount: Money; isLab: boolean };

/** What the test pages need of the features above payment: handed in by the composition (`lab.server.ts`). */
export type Lab = {
  /** In test mode everybody; in live mode a signed-in administrator. */
  isOpen(request: Request): Promise<boolean>;
  /** Where the card gateway takes server calls, from the configuration; null without one. */
  gatewayEndpoint: string | null;
  /** Where a browser finds the card gateway's checkout. */
  gatewayPage: string | null;
  /** The unpaid order of that number; without a number a new marked one, in test mode. Null: there is none. */
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

export const labContext = createContext<Lab>();
