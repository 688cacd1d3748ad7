import { z } from 'zod';
import { providerNames, type ProviderName } from '~/base/payment-providers.ts';
import {
  cardGatewayConfig,
  cardGatewayGroup,
  cardGatewayLiveMistakes,
  cardGatewayVariables,
} from './config-card-gateway.server.ts';
import {
  paypalConfig,
  paypalGroup,
  paypalLiveMistakes,
  paypalVariables,
} from './config-paypal.server.ts';
import {
  isStripeLiveKey,
  stripeConfig,
  stripeGroup,
  stripeLiveMistakes,
  stripeVariables,
} from './config-stripe.server.ts';

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

const variables = z.object(providerVariables);

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
export const providerConfigs = (env: z.infer<typeof variables> & { MODE: 'test' | 'live' }) =>
  ({
    card: parts.card.read(env),
    paypal: parts.paypal.read(env),
    stripe: parts.stripe.read(env),
  }) satisfies Record<ProviderName, unknown>;

/**
 * The partner that takes cards: the one that CARD_PARTNER names, else Stripe where it alone is configured, else the card
 * gateway, which test mode simulates. The other one, where it is there as well, is offered last.
 */
export function cardPartnerOf(env: z.infer<typeof variables>): CardPartner {
  if (env.CARD_PARTNER) return cardPartners[env.CARD_PARTNER];
  return env.STRIPE_SECRET_KEY && !env.CARD_GATEWAY_ENDPOINT ? 'stripe' : 'card';
}

/** What is wrong in test mode: a test must not move money. */
export const providerTestMistakes = (env: z.infer<typeof variables>): string[] =>
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
