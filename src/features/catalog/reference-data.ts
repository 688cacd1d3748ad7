import countriesFile from './data/countries.csv?raw';
import { parseCountries } from './country-file.ts';

/** The countries as the project ships them. What is in force is in the database: see `store.server.ts`. */
export const referenceCountries = parseCountries(countriesFile);
