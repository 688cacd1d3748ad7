import { calendarWords } from './calendar-words.ts';

/**
 * Further names people write, besides those we print: Latin letters without accents, Austrian German, the Syriac
 * names of the Levant and Iraq, Egyptian spellings, the names of the Maghreb that come from French, Morocco's own.
 */
const alsoWritten: Readonly<Record<number, readonly string[]>> = {
  1: ['Jänner', 'Jaenner', 'كانون الثاني', 'جانفي'],
  2: ['Feber', 'شباط', 'فيفري'],
  3: ['Maerz', 'Mrz', 'آذار'],
  4: ['نيسان', 'أفريل', 'إبريل'],
  5: ['أيار', 'ماي'],
  6: ['حزيران', 'يونيه', 'جوان'],
  7: ['تموز', 'يوليه', 'يوليوز', 'جويلية'],
  8: ['آب', 'أوت', 'غشت'],
  9: ['setiembre', 'أيلول', 'شتنبر'],
  10: ['تشرين الأول'],
  11: ['تشرين الثاني', 'نونبر'],
  12: ['كانون الأول', 'دجنبر'],
};

const SHORTEST_BEGINNING = 3;

/** Case, accents, dots, Arabic vowel signs and stretching strokes do not tell one month from another. */
function bare(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\u0640.]/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/\s+/g, ' ')
    .trim();
}

const named = new Map<string, number>();
for (const { months, monthsShort } of Object.values(calendarWords)) {
  for (const names of [months, monthsShort]) {
    names.forEach((name, index) => named.set(bare(name), index + 1));
  }
}
for (const [month, names] of Object.entries(alsoWritten)) {
  for (const name of names) named.set(bare(name), Number(month));
}

/**
 * The month (1 to 12) of a name or abbreviation in any of the six languages, whichever is being read. Any beginning
 * of three letters or more will do while it fits one month only: "octob" yes, French "jui" (June or July) no.
 */
export function monthNamed(text: string): number | null {
  const name = bare(text);
  const exact = named.get(name);
  if (exact !== undefined) return exact;
  if (name.length < SHORTEST_BEGINNING) return null;
  const months = new Set<number>();
  for (const [known, month] of named) if (known.startsWith(name)) months.add(month);
  const [only] = months;
  return months.size === 1 && only !== undefined ? only : null;
}
