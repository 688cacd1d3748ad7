import { parseDate } from '~/base/dates/dates.ts';
import {
  EVISA_VALIDITY_DAYS,
  type Country,
  type VisaEntries,
  type OtherDocument,
  type OtherTerms,
  type Regime,
} from './regime.ts';
import countriesFile from './data/countries.csv?raw';

const COLUMNS = 14;

/**
 * Reads `data/countries.csv`: a header, then one nationality per line, fields with commas in double quotes.
 * @throws Error with the line number for an inconsistent line.
 */
export function parseCountries(csv: string): Country[] {
  return csv
    .split(/\r?\n/)
    .slice(1)
    .flatMap((line, index) => (line === '' ? [] : [parseCountry(fieldsOf(line), index + 2)]));
}

function parseCountry(fields: string[], line: number): Country {
  const [
    code = '',
    iso2 = '',
    name = '',
    regimeWord,
    stay,
    entriesWord,
    document,
    identity,
    diplomatic,
    service,
    special,
    note = '',
    source = '',
    checked = '',
  ] = fields;
  const regime = regimeOf(regimeWord, document);
  const maxStayDays = stay === '' ? null : Number(stay);
  const entries = entriesOf(entriesWord);
  const others = othersOf({ identity, diplomatic, service, special });
  const checkedOn = parseDate(checked);
  const isEvisa = regime === 'evisa' || regime === 'evisa_with_document';
  const fits =
    fields.length === COLUMNS &&
    /^[A-Z]{3}$/.test(code) &&
    /^([A-Z]{2})?$/.test(iso2) &&
    name !== '' &&
    regime !== undefined &&
    others !== null &&
    checkedOn !== null &&
    isEvisa === (entries !== null) &&
    (maxStayDays === null ? regime === 'no_evisa' : Number.isInteger(maxStayDays));
  if (!fits) throw new Error(`countries.csv, line ${line}: ${fields.join(' | ')}`);
  return {
    id: code,
    code,
    iso2: iso2 === '' ? null : iso2,
    name,
    regime,
    maxStayDays,
    entries,
    validityDays: isEvisa ? EVISA_VALIDITY_DAYS : null,
    ...(Object.keys(others).length > 0 && { others }),
    note,
    source,
    checkedOn,
  };
}

function regimeOf(word = '', document = ''): Regime | undefined {
  if (word === 'evisa') return document === 'yes' ? 'evisa_with_document' : 'evisa';
  if (word === 'sticker_visa') return 'no_evisa';
  return word === 'visa_free' ? word : undefined;
}

/** Null for a cell that is neither empty nor terms. */
function othersOf(
  cells: Record<OtherDocument, string | undefined>,
): NonNullable<Country['others']> | null {
  const known = Object.entries(cells).filter(([, cell = '']) => cell !== '');
  const terms = known.map(([document, cell]) => [document, otherTermsOf(cell)] as const);
  return terms.some(([, its]) => its === null) ? null : Object.fromEntries(terms);
}

function otherTermsOf(cell = ''): OtherTerms | null {
  if (cell === 'official_site' || cell === 'official_site_free' || cell === 'visa') return cell;
  return /^[1-9]\d{0,2}$/.test(cell) ? Number(cell) : null;
}

function entriesOf(word = ''): VisaEntries | null {
  return word === 'single' || word === 'multiple' ? word : null;
}

/** The fields of one line. A doubled quote inside quotes stands for itself. */
function fieldsOf(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g);
  return [...fields].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

/** The countries as the project ships them. What is in force is in the database: see `store.server.ts`. */
export const referenceCountries = parseCountries(countriesFile);
