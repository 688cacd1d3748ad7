import type { ProviderName } from '~/base/payment-providers.ts';

/** The other configured provider to offer after one was tried; null where there is none. */
export function fallbackProvider(
  configured: readonly { name: ProviderName }[],
  tried: string,
): ProviderName | null {
  return configured.find(({ name }) => name !== tried)?.name ?? null;
}
