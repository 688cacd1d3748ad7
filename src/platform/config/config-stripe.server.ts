import { z } from 'zod';
import { isSafe } from './config-card-gateway.server.ts';
import { url, wholeNumber } from './config-fields.server.ts';

export type StripeConfig = {
  /** Without a trailing slash. */
  endpoint: string;
  secretKey: string;
  /** Of the webhook's signatures, each accepted: the current one, and the next while it is rolled. */
  webhookSecrets: readonly string[];
  timeoutMs: number;
};

/** Naming one of these asks for the others. */
export const stripeGroup = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const;

export const stripeVariables = {
  STRIPE_ENDPOINT: url('http:', 'https:')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, { error: 'must be a secret or restricted key of Stripe' })
    .optional(),
  STRIPE_WEBHOOK_SECRETS: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine((list) => list.every((secret) => /^whsec_\S{8,}$/.test(secret)), {
      error: 'must be signing secrets of the webhook (whsec_…), with commas between them',
    })
    .optional(),
  STRIPE_TIMEOUT_MS: wholeNumber(100, 60_000).prefault('10000'),
};

const variables = z.object(stripeVariables);

const STRIPE = 'https://api.stripe.com';

/** Credentials alone suffice: Stripe's address is the same for tests and for money, the key says which. */
export function stripeConfig(env: z.infer<typeof variables>): StripeConfig | undefined {
  if (!env.STRIPE_SECRET_KEY) return undefined;
  return {
    endpoint: env.STRIPE_ENDPOINT ?? STRIPE,
    secretKey: env.STRIPE_SECRET_KEY,
    webhookSecrets: env.STRIPE_WEBHOOK_SECRETS ?? [],
    timeoutMs: env.STRIPE_TIMEOUT_MS,
  };
}

/** Keys that move real money: `sk_live_…`, or restricted, `rk_live_…`. */
export const isStripeLiveKey = (key: string): boolean => /^(sk|rk)_live_/.test(key);

/** What live mode asks for beyond well-formed variables: test payments must not pay for anything. */
export function stripeLiveMistakes(given: {
  STRIPE_ENDPOINT?: string;
  STRIPE_SECRET_KEY?: string;
}): string[] {
  const { STRIPE_ENDPOINT: endpoint, STRIPE_SECRET_KEY: key } = given;
  return [
    ...(key && !isStripeLiveKey(key)
      ? ['STRIPE_SECRET_KEY: is not a live key, so its money is not real']
      : []),
    ...(endpoint && !isSafe(endpoint) ? ['STRIPE_ENDPOINT: must begin with https://'] : []),
  ];
}
