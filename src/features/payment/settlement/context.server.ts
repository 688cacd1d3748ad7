import { createContext } from 'react-router';
import type { Providers } from '../provider.ts';
import type { OnRefunded } from './refund.server.ts';
import type { PaypalScript } from '../providers/paypal-client.server.ts';
import type { OnPaid } from './settle.server.ts';

/** The configured providers and what payments and refunds cause; composed in `payments.server.ts` and passed to all. */
export type Payments = {
  providers: Providers;
  onPaid: OnPaid;
  onRefunded: OnRefunded;
  /** What PayPal's script in a browser needs; null where PayPal is not among the providers. */
  paypalScript?: PaypalScript | null;
};

export const paymentsContext = createContext<Payments>();
