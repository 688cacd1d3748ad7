import { isIP } from 'node:net';
import { z } from 'zod';
import { privateKey, publicKeys, url, wholeNumber } from './config-fields.server.ts';
import { isShortRsa, publicHalf, readKey } from './config-live.server.ts';
import { providerNames, type ProviderName } from '~/base/payment-providers.ts';

export const cardGatewayDigests = ['sha256', 'sha384', 'sha512', 'md5'] as const;

/** The card payment partner. Keys are PEM. */
export type CardGatewayConfig = {
  /** Server to server, without a trailing slash. */
  endpoint: string;
  /** The same as the payer's browser reaches it. */
  publicEndpoint: string;
  merchantId: string;
  /** Signs our messages. */
  privateKey: string;
  /** The partner's keys, each accepted: the current one, and the next while it rotates. */
  providerPublicKeys: readonly string[];
  digest: (typeof cardGatewayDigests)[number];
  /** `api`: a payment is registered first, server to server; `form`: only the browser's form makes it. */
  mode: 'api' | 'form';
  timeoutMs: number;
};

/** Naming one of these asks for the others. */
const cardGatewayGroup = [
  'CARD_GATEWAY_ENDPOINT',
  'CARD_GATEWAY_MERCHANT_ID',
  'CARD_GATEWAY_PRIVATE_KEY',
  'CARD_GATEWAY_PROVIDER_PUBLIC_KEYS',
] as const;

const endpoint = url('http:', 'https:').transform((value) => value.replace(/\/+$/, ''));

const cardGatewayVariables = {
  CARD_GATEWAY_ENDPOINT: endpoint.optional(),
  CARD_GATEWAY_PUBLIC_ENDPOINT: endpoint.optional(),
  CARD_GATEWAY_MERCHANT_ID: z.string().optional(),
  CARD_GATEWAY_PRIVATE_KEY: privateKey.optional(),
  CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: publicKeys.optional(),
  CARD_GATEWAY_DIGEST: z
    .enum(cardGatewayDigests, { error: `must be one of ${cardGatewayDigests.join(', ')}` })
    .default('sha256'),
  CARD_GATEWAY_ALLOW_MD5: z.enum(['yes', 'no'], { error: 'must be yes or no' }).default('no'),
  CARD_GATEWAY_MODE: z.enum(['api', 'form'], { error: 'must be api or form' }).default('api'),
  CARD_GATEWAY_TIMEOUT_MS: wholeNumber(100, 60_000).prefault('10000'),
};

/** Undefined where no gateway is named: test mode then uses the simulated one. */
function cardGatewayConfig(
  env: z.infer<z.ZodObject<typeof cardGatewayVariables>>,
): CardGatewayConfig | undefined {
  if (!env.CARD_GATEWAY_ENDPOINT) return undefined;
  return {
    endpoint: env.CARD_GATEWAY_ENDPOINT,
    publicEndpoint: env.CARD_GATEWAY_PUBLIC_ENDPOINT ?? env.CARD_GATEWAY_ENDPOINT,
    merchantId: env.CARD_GATEWAY_MERCHANT_ID ?? '',
    privateKey: env.CARD_GATEWAY_PRIVATE_KEY ?? '',
    providerPublicKeys: env.CARD_GATEWAY_PROVIDER_PUBLIC_KEYS ?? [],
    digest: env.CARD_GATEWAY_DIGEST,
    mode: env.CARD_GATEWAY_MODE,
    timeoutMs: env.CARD_GATEWAY_TIMEOUT_MS,
  };
}

type Given = {
  CARD_GATEWAY_ENDPOINT?: string;
  CARD_GATEWAY_PUBLIC_ENDPOINT?: string;
  CARD_GATEWAY_PRIVATE_KEY?: string;
  CARD_GATEWAY_PROVIDER_PUBLIC_KEYS?: string | readonly string[];
  CARD_GATEWAY_DIGEST?: string;
  CARD_GATEWAY_ALLOW_MD5?: string;
};

/** What live mode asks for beyond well-formed variables. */
function cardGatewayLiveMistakes(given: Given): string[] {
  const mistakes: string[] = [];
  for (const name of ['CARD_GATEWAY_ENDPOINT', 'CARD_GATEWAY_PUBLIC_ENDPOINT'] as const) {
    const address = given[name];
    if (address && !isSafe(address)) mistakes.push(`${name}: must begin with https://`);
  }
  // Signatures over MD5 can be forged with effort. Old merchant accounts support nothing else, so the operator has to
  // allow it.
  if (given.CARD_GATEWAY_DIGEST === 'md5' && given.CARD_GATEWAY_ALLOW_MD5 !== 'yes') {
    mistakes.push('CARD_GATEWAY_DIGEST: md5 is weak and needs CARD_GATEWAY_ALLOW_MD5=yes');
  }
  return [...mistakes, ...keyMistakes(given)];
}

function keyMistakes(given: Given): string[] {
  const mistakes: string[] = [];
  const { CARD_GATEWAY_PRIVATE_KEY: own, CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: partners } = given;
  const ours = own ? readKey(own.replaceAll('\\n', '\n'), 'private') : null;
  // A text that could not be parsed was reported already.
  const theirs = (typeof partners === 'string' ? [] : (partners ?? [])).flatMap(
    (pem) => readKey(pem, 'public') ?? [],
  );
  if (ours && isShortRsa(ours)) {
    mistakes.push('CARD_GATEWAY_PRIVATE_KEY: RSA needs 2048 bits or more');
  }
  if (theirs.some(isShortRsa)) {
    mistakes.push('CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: RSA needs 2048 bits or more');
  }
  if (ours && theirs.some((key) => publicHalf(key) === publicHalf(ours))) {
    mistakes.push(
      'CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: holds the public half of our own key; it must be the partner’s',
    );
  }
  return mistakes;
}

/** By TLS, or to a proxy on this machine that speaks it. */
export function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { protocol, hostname } = new URL(address);
  const isHere = hostname === 'localhost' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  return protocol === 'https:' || isHere;
}

type PaypalConfig = {
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
const paypalGroup = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'] as const;

const address = url('http:', 'https:');
const origin = address.transform((value) => new URL(value).origin);

const paypalVariables = {
  PAYPAL_ENDPOINT: address.transform((value) => value.replace(/\/+$/, '')).optional(),
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z.string().optional(),
  PAYPAL_CERTIFICATE_ORIGIN: origin.optional(),
  PAYPAL_TIMEOUT_MS: wholeNumber(100, 60_000).prefault('10000'),
};

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
function paypalConfig(
  env: z.infer<z.ZodObject<typeof paypalVariables>> & { MODE: 'test' | 'live' },
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
function paypalLiveMistakes(given: {
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

type StripeConfig = {
  /** Without a trailing slash. */
  endpoint: string;
  secretKey: string;
  /** Of the webhook's signatures, each accepted: the current one, and the next while it is rolled. */
  webhookSecrets: readonly string[];
  timeoutMs: number;
};

/** Naming one of these asks for the others. */
const stripeGroup = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const;

const stripeVariables = {
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

const STRIPE = 'https://api.stripe.com';

/** Credentials alone suffice: Stripe's address is the same for tests and for money, the key says which. */
function stripeConfig(env: z.infer<z.ZodObject<typeof stripeVariables>>): StripeConfig | undefined {
  if (!env.STRIPE_SECRET_KEY) return undefined;
  return {
    endpoint: env.STRIPE_ENDPOINT ?? STRIPE,
    secretKey: env.STRIPE_SECRET_KEY,
    webhookSecrets: env.STRIPE_WEBHOOK_SECRETS ?? [],
    timeoutMs: env.STRIPE_TIMEOUT_MS,
  };
}

/** Keys that move real money: `sk_live_…`, or restricted, `rk_live_…`. */
const isStripeLiveKey = (key: string): boolean => /^(sk|rk)_live_/.test(key);

/** What live mode asks for beyond well-formed variables: test payments must not pay for anything. */
function stripeLiveMistakes(given: {
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

/** Who can take a card: the values of CARD_PARTNER, and the partner of each. */
const cardPartners = { gateway: 'card', stripe: 'stripe' } as const satisfies Record<
  string,
  ProviderName
>;
export type CardPartner = (typeof cardPartners)[keyof typeof cardPartners];

export const providerVariables = {
  ...cardGatewayVariables,
  ...paypalVariables,
  ...stripeVariables,
  CARD_PARTNER: z.enum(['gateway', 'stripe'], { error: 'must be gateway or stripe' }).optional(),
};

/**
 * Every payment partner's part of the configuration. `group`: naming one of these variables asks for the others, and
 * the first says whether the partner is configured. `read`: what its implementation needs; undefined where it is not
 * configured. `liveMistakes`: what live mode asks for beyond well-formed variables; it is given the variables as they
 * were typed.
 */
const parts = {
  card: { group: cardGatewayGroup, read: cardGatewayConfig, liveMistakes: cardGatewayLiveMistakes },
  paypal: { group: paypalGroup, read: paypalConfig, liveMistakes: paypalLiveMistakes },
  stripe: { group: stripeGroup, read: stripeConfig, liveMistakes: stripeLiveMistakes },
} as const satisfies Record<ProviderName, unknown>;

export const providerGroups = providerNames.map((name) => parts[name].group);

/** What each partner's implementation needs; undefined for those that are not configured. */
export const providerConfigs = (
  env: z.infer<z.ZodObject<typeof providerVariables>> & { MODE: 'test' | 'live' },
) =>
  ({
    card: parts.card.read(env),
    paypal: parts.paypal.read(env),
    stripe: parts.stripe.read(env),
  }) satisfies Record<ProviderName, unknown>;

/**
 * The partner that takes cards: the one that CARD_PARTNER names, else Stripe where it alone is configured, else the card
 * gateway, which test mode simulates. The other one, where it is there as well, is offered last.
 */
export function readCardPartner(env: z.infer<z.ZodObject<typeof providerVariables>>): CardPartner {
  if (env.CARD_PARTNER) return cardPartners[env.CARD_PARTNER];
  return env.STRIPE_SECRET_KEY && !env.CARD_GATEWAY_ENDPOINT ? 'stripe' : 'card';
}

/** What is wrong in test mode: a test must not move money. */
export const providerTestMistakes = (
  env: z.infer<z.ZodObject<typeof providerVariables>>,
): string[] =>
  isStripeLiveKey(env.STRIPE_SECRET_KEY ?? '')
    ? ['STRIPE_SECRET_KEY: is a live key, which moves real money; test mode takes a test key']
    : [];

export type ProvidersGiven = Parameters<(typeof parts)[ProviderName]['liveMistakes']>[0] & {
  CARD_PARTNER?: string;
} & {
  [Name in (typeof parts)[ProviderName]['group'][0]]?: string;
};

/** What live mode asks for: a real partner, and of each what its own rules say. */
export function providerLiveMistakes(given: ProvidersGiven): string[] {
  const isNone = providerNames.every((name) => !given[parts[name].group[0]]);
  return [
    ...(isNone
      ? [
          'CARD_GATEWAY_ENDPOINT: must name the gateway, unless Stripe or PayPal is configured; the simulated one is for tests',
        ]
      : []),
    ...providerNames.flatMap((name) => parts[name].liveMistakes(given)),
    ...cardPartnerMistakes(given),
  ];
}

/** Live mode simulates nobody: the named partner must be configured. */
function cardPartnerMistakes(given: ProvidersGiven): string[] {
  const name = Object.entries(cardPartners).find(([value]) => value === given.CARD_PARTNER)?.[1];
  const [first] = name ? parts[name].group : [];
  return first && !given[first] ? [`CARD_PARTNER: names a partner without ${first}`] : [];
}
