import { z } from 'zod';
import { isSafe } from './config-card-gateway.server.ts';
import { url, wholeNumber } from './config-fields.server.ts';

export type PaypalConfig = {
  /** Without a trailing slash. */
  endpoint: string;
  clientId: string;
  clientSecret: string;
  webhookId: string;
  /** The folder whose certificates alone sign webhooks, as `https://host/…/`. */
  certificates: string;
  timeoutMs: number;
};

/** Naming one of these asks for the others. */
export const paypalGroup = [
  'PAYPAL_CLIENT_ID',
  'PAYPAL_CLIENT_SECRET',
  'PAYPAL_WEBHOOK_ID',
] as const;

const address = url('http:', 'https:');
const origin = address.transform((value) => new URL(value).origin);

export const paypalVariables = {
  PAYPAL_ENDPOINT: address.transform((value) => value.replace(/\/+$/, '')).optional(),
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z.string().optional(),
  PAYPAL_CERTIFICATE_ORIGIN: origin.optional(),
  PAYPAL_TIMEOUT_MS: wholeNumber(100, 60_000).prefault('10000'),
};

const variables = z.object(paypalVariables);

const LIVE = 'https://api-m.paypal.com';
const SANDBOX = 'https://api-m.sandbox.paypal.com';

/** Where PayPal itself keeps its certificates, by the address of its calls. */
const certificateOrigins: Record<string, string> = {
  [LIVE]: 'https://api.paypal.com',
  [SANDBOX]: 'https://api.sandbox.paypal.com',
};

/** Where PayPal's certificates lie below the address that has them. */
export const CERTIFICATES_PATH = '/v1/notifications/certs/';

/** Credentials alone suffice: live mode means PayPal's live address, test mode its sandbox. */
export function paypalConfig(
  env: z.infer<typeof variables> & { MODE: 'test' | 'live' },
): PaypalConfig | undefined {
  if (!env.PAYPAL_CLIENT_ID) return undefined;
  const endpoint = env.PAYPAL_ENDPOINT ?? (env.MODE === 'live' ? LIVE : SANDBOX);
  const { origin: own } = new URL(endpoint);
  const origin = env.PAYPAL_CERTIFICATE_ORIGIN ?? certificateOrigins[own] ?? own;
  return {
    endpoint,
    clientId: env.PAYPAL_CLIENT_ID,
    clientSecret: env.PAYPAL_CLIENT_SECRET ?? '',
    webhookId: env.PAYPAL_WEBHOOK_ID ?? '',
    // What stands in for PayPal may do so below a path, its certificates included.
    certificates: (origin === own ? endpoint : origin) + CERTIFICATES_PATH,
    timeoutMs: env.PAYPAL_TIMEOUT_MS,
  };
}

/**
 * What live mode asks for beyond well-formed variables: payments in the sandbox must not pay for anything, and neither
 * our secret nor the certificates that sign webhooks may travel in the clear.
 */
export function paypalLiveMistakes(given: {
  PAYPAL_ENDPOINT?: string;
  PAYPAL_CERTIFICATE_ORIGIN?: string;
}): string[] {
  return (['PAYPAL_ENDPOINT', 'PAYPAL_CERTIFICATE_ORIGIN'] as const).flatMap((name) => {
    const address = given[name] ?? '';
    if (!URL.canParse(address)) return [];
    if (new URL(address).hostname.endsWith('sandbox.paypal.com')) {
      return [`${name}: names the sandbox, whose money is not real`];
    }
    return isSafe(address) ? [] : [`${name}: must begin with https://`];
  });
}
