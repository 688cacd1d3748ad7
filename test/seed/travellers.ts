import { addDays, addMonths, dateOf, TURKIYE, type PlainDate } from '../../src/base/dates/dates.ts';
import { languages, type Language } from '../../src/base/languages.ts';
import { firstNames, lastNames } from '../../bench/seed-names.ts';

export type Traveller = {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  countryCode: string;
  dateOfBirth: PlainDate;
  passportNumber: string;
  passportIssueDate: PlainDate;
  passportExpiryDate: PlainDate;
  placeOfBirth: string;
  motherName: string;
  fatherName: string;
  address: string;
  language: Language;
};

/** Nationalities that get an e-visa, without and with a supporting document, and where their travellers live. */
const homes = [
  { country: 'ZAF', city: 'Durban', street: '12 Marine Parade', phone: '+27 31 555 01' },
  { country: 'MEX', city: 'Puebla', street: 'Calle 5 de Mayo 12', phone: '+52 33 1234 56' },
  { country: 'JAM', city: 'Kingston', street: '88 Hope Road', phone: '+1 876 922 12' },
  { country: 'MUS', city: 'Curepipe', street: '3 Royal Road', phone: '+230 5251 23' },
  { country: 'IND', city: 'Pune', street: '7 Laxmi Road', phone: '+91 98765 432' },
  { country: 'PAK', city: 'Lahore', street: '4 Mall Road', phone: '+92 301 23456' },
  { country: 'PHL', city: 'Cebu', street: '21 Colon Street', phone: '+63 905 123 45' },
  { country: 'VNM', city: 'Hanoi', street: '9 Hang Bai Street', phone: '+84 91 234 56' },
] as const;

const emailDomains = ['mail.example', 'correo.example', 'post.example', 'inbox.example'] as const;

/** The choices of a seeded generator. */
export type Chance = ReturnType<typeof makeChance>;
export function makeChance(random: () => number) {
  return {
    between: (low: number, high: number) => low + random() * (high - low),
    whole: (low: number, high: number) => low + Math.floor(random() * (high - low + 1)),
    oneOf<const L extends readonly [unknown, ...unknown[]]>(list: L): L[number] {
      return list[Math.floor(random() * list.length)] ?? list[0];
    },
  };
}

const isInLatin = (name: string) => /^[\p{Script=Latin}-]+$/u.test(name);
/** Names that a passport's machine-readable lines can show. */
const inLatin = ([first, ...others]: readonly string[]): [string, ...string[]] => [
  first ?? '',
  ...others.filter(isInLatin),
];
const [givenNames, familyNames] = [inLatin(firstNames), inLatin(lastNames)];

/** The invented people of one story, each with an address and a passport of their own. */
export function makeTravellers(chance: Chance, story: number) {
  let made = 0;
  return (now: Date, age: { from: number; to: number } = { from: 19, to: 74 }): Traveller => {
    made += 1;
    const today = dateOf(now, TURKIYE);
    const home = chance.oneOf(homes);
    const [firstName, lastName] = [chance.oneOf(givenNames), chance.oneOf(familyNames)];
    const issued = addDays(today, -chance.whole(60, 1500));
    const folded = `${firstName}.${lastName}`.normalize('NFD').replace(/[^A-Za-z.]/g, '');
    return {
      firstName,
      lastName,
      email: `${folded.toLowerCase()}.${story}${made > 1 ? `.${made}` : ''}@${chance.oneOf(emailDomains)}`,
      phone: home.phone + String(chance.whole(10, 99)),
      countryCode: home.country,
      dateOfBirth: addDays(
        addMonths(today, -12 * chance.whole(age.from, age.to)),
        -chance.whole(1, 300),
      ),
      passportNumber: `N${chance.whole(10_000_000, 99_999_999)}`,
      passportIssueDate: issued,
      passportExpiryDate: addMonths(issued, 120),
      placeOfBirth: home.city,
      motherName: chance.oneOf(givenNames),
      fatherName: chance.oneOf(givenNames),
      address: `${home.street}, ${home.city}`,
      language: chance.oneOf(languages).code,
    };
  };
}
