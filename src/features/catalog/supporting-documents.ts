/**
 * Who issues a visa that counts as a supporting document: Ireland, any Schengen state, the United States and the
 * United Kingdom (evisa.gov.tr FAQ; mfa.gov.tr). Names: `countries:<code>`, with context `place`.
 */
export const supportingVisaCountries = ['IRL', 'SCHENGEN', 'USA', 'GBR'] as const;
export type SupportingVisaCountry = (typeof supportingVisaCountries)[number];

/** The 20 residence permits that the form lists; source and choice in `data/residence-countries.tsv`. */
export const residenceCountries = [
  'USA',
  'GBR',
  'IRL',
  'AUT',
  'BEL',
  'CZE',
  'DNK',
  'FIN',
  'FRA',
  'DEU',
  'GRC',
  'HUN',
  'ITA',
  'NLD',
  'NOR',
  'POL',
  'PRT',
  'ESP',
  'SWE',
  'CHE',
] as const;
export type ResidenceCountry = (typeof residenceCountries)[number];
