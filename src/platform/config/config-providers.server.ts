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

export const providerVariables = { ...cardGatewayVariables, ...paypalVariables };

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
} as const satisfies Record<ProviderName, unknown>;

export const providerGroups = providerNames.map((name) => parts[name].group);

/** What each partner's implementation needs; undefined for those that are not configured. */
export const providerConfigs = (env: z.infer<typeof variables> & { MODE: 'test' | 'live' }) =>
  ({
    card: parts.card.read(env),
    paypal: parts.paypal.read(env),
  }) satisfies Record<ProviderName, unknown>;

export type ProvidersGiven = Parameters<(typeof parts)[ProviderName]['liveMistakes']>[0] & {
  [Name in (typeof parts)[ProviderName]['group'][0]]?: string;
};

/** What live mode asks for: a real partner, and of each what its own rules say. */
export function providerLiveMistakes(given: ProvidersGiven): string[] {
  const isNone = providerNames.every((name) => !given[parts[name].group[0]]);
  return [
    ...(isNone
      ? [
          'CARD_GATEWAY_ENDPOINT: must name the gateway, unless PayPal is configured; the simulated one is for tests',
        ]
      : []),
    ...providerNames.flatMap((name) => parts[name].liveMistakes(given)),
  ];
}
