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
