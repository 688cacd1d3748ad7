/**
 * Who issues a visa that counts as a supporting document: Ireland, any Schengen state, the United States and the
 * United Kingdom (evisa.gov.tr FAQ; mfa.gov.tr). Names: `countries:<code>`, with context `place`.
 */
export const supportingVisaCountries = ['IRL', 'SCHENGEN', 'USA', 'GBR'] as const;

/** The 20 residence permits that the form lists first; source and choice in `data/residence-countries.tsv`. */
export const firstResidenceCountries = [
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

/** The other Schengen states, whose permits count too. */
export const furtherResidenceCountries = [
  'EST',
  'ISL',
  'LVA',
  'LIE',
  'LTU',
  'LUX',
  'MLT',
  'SVK',
  'SVN',
  'BGR',
  'HRV',
  'ROU',
] as const;

/** Every country whose residence permit counts. */
export const residenceCountries = [
  ...firstResidenceCountries,
  ...furtherResidenceCountries,
] as const;
