import { takesCards, type ProviderName } from '~/base/payment-providers.ts';

/**
 * The other configured provider to offer after one was tried: one where money comes another way, if there is one, so
 * that nobody is led from one card page to the next. Null where there is no other.
 */
export function fallbackProvider(
  configured: readonly { name: ProviderName }[],
  tried: string,
): ProviderName | null {
  const others = configured.map(({ name }) => name).filter((name) => name !== tried);
  const isCard = takesCards.some((name) => name === tried);
  return others.find((name) => takesCards.includes(name) !== isCard) ?? others[0] ?? null;
}

/**
 * The other way to pay that is offered beside the first provider: PayPal beside a card, or a card beside PayPal. Null
 * where money comes in one way only: a second partner for cards is no choice to the payer.
 */
export function alternativeProvider(
  offered: readonly { name: ProviderName }[],
  first = offered[0]?.name,
): ProviderName | null {
  const other = first ? fallbackProvider(offered, first) : null;
  if (!first || !other) return null;
  return takesCards.includes(other) === takesCards.includes(first) ? null : other;
}

/** The provider that a pressed button or an address names; undefined, so the default one, where none or an unknown one. */
export const chosenProvider = (
  given: FormData | URLSearchParams,
  configured: readonly { name: ProviderName }[],
): ProviderName | undefined =>
  configured.map(({ name }) => name).find((name) => name === given.get('provider'));

/** The ways to pay that all configured providers together offer. */
export type WaysToPay = 'both' | 'card' | 'paypal';

/** What pages promise about paying. */
export function waysToPay(configured: readonly { name: ProviderName }[]): WaysToPay {
  const isCard = configured.some(({ name }) => takesCards.includes(name));
  const isPaypal = configured.some(({ name }) => name === 'paypal');
  if (isCard && isPaypal) return 'both';
  return isPaypal ? 'paypal' : 'card';
}
