import { createContext } from 'react-router';
import type { Providers } from './providers.ts';
import type { OnPaid } from './settle.server.ts';

/** The configured providers and what a payment sets off: composed once in `payments.server.ts`, handed to all. */
export type Payments = { providers: Providers; onPaid: OnPaid };

export const paymentsContext = createContext<Payments>();
