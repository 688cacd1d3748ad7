import { machineReadable } from '~/features/application/machine-readable.ts';

/** What a sample document says. Dates YYYY-MM-DD; `optional` is the personal number, or other data of the issuer. */
export type SamplePerson = {
  issuer: string;
  nationality: string;
  lastName: string;
  firstName: string;
  number: string;
  born: string;
  sex: 'F' | 'M' | '<';
  expires: string;
  optional: string;
};

export type SampleFormat = 'TD1' | 'TD2' | 'TD3';

/** The check digit of ICAO Doc 9303-3, section 4.9: weights 7, 3, 1; letters count from 10, fillers 0. */
export function checkDigit(text: string): string {
  const sum = text
    .split('')
    .reduce((total, sign, index) => total + signValue(sign) * ([7, 3, 1][index % 3] ?? 0), 0);
  return String(sum % 10);
}

export const signValue = (sign: string): number => (sign === '<' ? 0 : Number.parseInt(sign, 36));

const filled = (text: string, length: number): string => text.slice(0, length).padEnd(length, '<');

const checked = (text: string): string => text + checkDigit(text);

const six = (date: string): string => date.slice(2).replaceAll('-', '');

function printed(name: string): string {
  const read = machineReadable(name);
  return read.ok ? read.text.replaceAll(' ', '<') : '';
}

/** The machine-readable lines of a document, as its issuer prints them; names too long for them are cut. */
export function sampleLines(format: SampleFormat, person: SamplePerson): string[] {
  const { issuer, nationality, number, sex, optional } = person;
  const names = `${printed(person.lastName)}<<${printed(person.firstName)}`;
  const numbered = checked(filled(number, 9));
  const [born, expires] = [checked(six(person.born)), checked(six(person.expires))];
  if (format === 'TD1') {
    const upper = numbered + filled(optional, 15);
    const lower = filled('', 11);
    const composite = checkDigit(upper + born + expires + lower);
    return [
      `I<${filled(issuer, 3)}${upper}`,
      `${born}${sex}${expires}${filled(nationality, 3)}${lower}${composite}`,
      filled(names, 30),
    ];
  }
  const kind = format === 'TD3' ? 'P<' : 'I<';
  const rest = format === 'TD3' ? checked(filled(optional, 14)) : filled(optional, 7);
  const composite = checkDigit(numbered + born + expires + rest);
  const length = format === 'TD3' ? 44 : 36;
  return [
    filled(`${kind}${filled(issuer, 3)}${names}`, length),
    `${numbered}${filled(nationality, 3)}${born}${sex}${expires}${rest}${composite}`,
  ];
}
