import { referenceCountries } from '~/features/catalog/reference-data.ts';

/**
 * Where phone numbers are from, by code; `iso2` is null for another passport of the same country. With Türkiye, where
 * some travellers live, whatever their nationality.
 */
export const phonePlaces: readonly { code: string; iso2: string | null }[] = [
  ...referenceCountries.map(({ code, iso2 }) => ({ code, iso2 })),
  { code: 'TUR', iso2: 'TR' },
];
