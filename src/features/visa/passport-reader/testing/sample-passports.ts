import { makeRandom } from '../../../../../test/crash/random.ts';
import type { Conditions } from './draw-passport.ts';
import { sampleLines, type SampleFormat, type SamplePerson } from './sample-lines.ts';

export type Sample = {
  format: SampleFormat;
  person: SamplePerson;
  lines: readonly string[];
  conditions: Conditions;
  seed: number;
};

const lastNames = [
  'Nkosi',
  'Hernández Ruiz',
  'O’Connor',
  'van der Velde',
  'Nguyễn',
  'Smith-Jones',
  'Al Hashimi',
  'Müller',
  'Li',
  'Wijesinghe',
  'Suharto',
  'Kowalczyk',
];
const firstNames = [
  'Thandi',
  'María José',
  'Seán',
  'Jan',
  'Thị Hương',
  'Ann',
  'Fatima Zahra',
  'Jürgen',
  'Xiu Ying',
  'Dilshan Kavinda',
  '',
  'Zofia',
];
const countries = [
  'ZAF',
  'MEX',
  'IRL',
  'NLD',
  'VNM',
  'GBR',
  'ARE',
  'D',
  'CHN',
  'LKA',
  'IDN',
  'POL',
];

/** Three of five are passports, as most travellers have. */
const formats: readonly SampleFormat[] = ['TD3', 'TD1', 'TD3', 'TD2', 'TD3'];

/** Invented documents and how each is photographed: at a slant, in bad light, with grain and reflections. The same every time. */
export function samplePassports(count: number): Sample[] {
  return Array.from({ length: count }, (_, index) => {
    const random = makeRandom(1000 + index);
    const upTo = (most: number) => Math.floor(random() * most);
    const digits = (length: number) => Array.from({ length }, () => String(upTo(10))).join('');
    const letters = (length: number) =>
      Array.from({ length }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charAt(upTo(26))).join('');
    const alike = (length: number) =>
      Array.from({ length }, () => '000OODQAUK1I5S8B'.charAt(upTo(16))).join('');
    const two = (number: number) => String(number).padStart(2, '0');
    const day = (year: number) => `${year}-${two(1 + upTo(12))}-${two(1 + upTo(28))}`;
    const format = formats[index % formats.length] ?? 'TD3';
    const country = countries[index % countries.length] ?? 'ZAF';
    const person: SamplePerson = {
      issuer: country,
      nationality: country,
      lastName: lastNames[index % lastNames.length] ?? '',
      firstName: firstNames[index % firstNames.length] ?? '',
      // Every third has a number of characters that look alike or count alike.
      number: index % 3 === 2 ? alike(9) : letters(1 + upTo(2)) + digits(6 + upTo(2)),
      born: day(1940 + upTo(80)),
      sex: random() < 0.5 ? 'F' : 'M',
      expires: day(2027 + upTo(9)),
      optional: random() < 0.5 ? digits(7) : '',
    };
    const conditions: Conditions = {
      width: 1300 + upTo(700),
      tilt: (random() - 0.5) * 14,
      noise: random() * 60,
      blur: random() * 1.3,
      glare: random() < 0.4 ? random() : 0,
      quality: 55 + upTo(40),
    };
    return { format, person, lines: sampleLines(format, person), conditions, seed: index };
  });
}
