import type { ProviderName } from '~/base/payment-providers.ts';

/** How else an order can be paid: the configured provider after the one that was tried; null where there is none. */
export function fallbackProvider(
  configured: readonly { name: ProviderName }[],
  tried: string,
): ProviderName | null {
  return configured.find(({ name }) => name !== tried)?.name ?? null;
}
