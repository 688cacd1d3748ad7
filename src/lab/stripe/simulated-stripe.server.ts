import { createHash } from 'node:crypto';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { FaultCall } from './scenarios.ts';

/** The simulated Stripe's path, in test mode. */
export const SIMULATED_STRIPE_PATH = '/lab/stripe';

/** A simulated Stripe. It knows one account and its webhook, nothing else of Lale. */
export type SimulatedStripe = {
  db: Database;
  now: () => Date;
  secretKey: string;
  webhookSecret: string;
  /** The address to which the account's webhooks are sent. */
  webhookUrl: string;
  /** The addresses of its calls, and of its payment page for browsers. */
  apiUrl: string;
  pageUrl: string;
  /** Called when a call is done and held. */
  onHeld?: (call: FaultCall) => void;
};

/** The simulated Stripe of this installation; null in live mode. */
export function simulatedStripe(platform: Platform): SimulatedStripe | null {
  const { simulator, publicUrl, mode, host, port } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  const own = `http://${host}:${port}`;
  return {
    db: platform.db,
    now: platform.now,
    ...simulatedStripeKeys(simulator.merchant.privateKey),
    webhookUrl: `${own}/api/payment/notification/stripe`,
    apiUrl: own + SIMULATED_STRIPE_PATH,
    pageUrl: `${publicUrl}${SIMULATED_STRIPE_PATH}/pay`,
  };
}

/** The account's secrets, derived so that they need not be stored. */
export function simulatedStripeKeys(merchantKey: string) {
  const derived = (use: string) =>
    createHash('sha256').update(`stripe:${use}:${merchantKey}`).digest('hex').slice(0, 32);
  return { secretKey: `sk_test_${derived('key')}`, webhookSecret: `whsec_${derived('webhook')}` };
}
