import countriesFile from './data/countries.csv?raw';
import { parseCountries } from './country-file.ts';

/** The countries as the project ships them. The database holds what is in force: see `store.server.ts`. */
export const referenceCountries = parseCountries(countriesFile);
