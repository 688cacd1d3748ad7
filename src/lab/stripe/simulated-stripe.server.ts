import { createHash } from 'node:crypto';
import type { Platform } from '~/platform/platform.server.ts';
import { stripeSignature } from '~/features/payment/providers/stripe-client.server.ts';
import type { Partner } from '../partner.server.ts';
import { errorJson } from './representation.ts';

/** The simulated Stripe's path, in test mode. */
export const SIMULATED_STRIPE_PATH = '/lab/stripe';

/** A simulated Stripe. It knows one account and its webhook, nothing else of Lale. */
export type SimulatedStripe = Partner & {
  secretKey: string;
  webhookSecret: string;
  /** The addresses of its calls, and of its payment page for browsers. */
  apiUrl: string;
  pageUrl: string;
};

/** The simulated Stripe of this installation; null in live mode. */
export function simulatedStripe(platform: Platform): SimulatedStripe | null {
  const { simulator, publicUrl, mode, host, port } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  const own = `http://${host}:${port}`;
  const { secretKey, webhookSecret } = simulatedStripeKeys(simulator.merchant.privateKey);
  return {
    name: 'stripe',
    db: platform.db,
    now: platform.now,
    secretKey,
    webhookSecret,
    webhookUrl: `${own}/api/payment/notification/stripe`,
    signedHeaders: (body, signature) => {
      const seconds = Math.floor(platform.now().getTime() / 1000);
      const secret = signature === 'right' ? webhookSecret : 'whsec_somebody_else';
      const value = stripeSignature(secret, seconds, Buffer.from(body));
      return { 'stripe-signature': `t=${seconds},v1=${value},v0=${'0'.repeat(64)}` };
    },
    failure: (status) =>
      status === 429
        ? errorJson('invalid_request_error', 'rate_limit', 'Too many requests.')
        : errorJson('api_error', null, 'Something went wrong.'),
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
