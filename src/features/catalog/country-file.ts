import { EVISA_VALIDITY_DAYS, type Country, type Entries, type Regime } from './regime.ts';

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
    note = '',
    source = '',
  ] = fields;
  const regime = regimeOf(regimeWord, document);
  const maxStayDays = stay === '' ? null : Number(stay);
  const entries = entriesOf(entriesWord);
  const isEvisa = regime === 'evisa' || regime === 'evisa_with_document';
  const fits =
    fields.length === 9 &&
    /^[A-Z]{3}$/.test(code) &&
    /^([A-Z]{2})?$/.test(iso2) &&
    name !== '' &&
    regime !== undefined &&
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
    note,
    source,
  };
}

function regimeOf(word = '', document = ''): Regime | undefined {
  if (word === 'evisa') return document === 'yes' ? 'evisa_with_document' : 'evisa';
  if (word === 'sticker_visa') return 'no_evisa';
  return word === 'visa_free' ? word : undefined;
}

function entriesOf(word = ''): Entries | null {
  return word === 'single' || word === 'multiple' ? word : null;
}

/** The fields of one line. A doubled quote inside quotes stands for itself. */
function fieldsOf(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g);
  return [...fields].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
