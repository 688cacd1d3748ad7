import type { Provider } from './provider.ts';

/** The configured providers, in the order in which they are offered. */
export type Providers = readonly Provider[];

export function providerNamed(providers: Providers, name: string): Provider | null {
  return providers.find((provider) => provider.name === name) ?? null;
}
