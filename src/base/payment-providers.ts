/**
 * Every payment partner, in the order in which lists name them. Each has its part of the configuration
 * (`src/platform/config/config-providers.server.ts`), its implementation (`src/app/composition/payments.server.ts`), its
 * stage in the contract suite and its words in every language; the compiler asks for all of them.
 */
export const providerNames = ['card', 'paypal', 'stripe'] as const;
export type ProviderName = (typeof providerNames)[number];

/** Those on whose page a card is typed; the others have accounts of their own. */
export const takesCards: readonly ProviderName[] = ['card', 'stripe'];
