import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languageCodes, type Language } from '../src/base/languages.ts';
import { projectRoot } from '../src/platform/config/root.server.ts';

/**
 * Texts in which a refused word may occur, by language and key: messages fixed by the specification, and other meanings
 * of the word. No entry may be unused.
 */
const exceptions: Record<string, Record<string, string>> = {
  en: {
    // Fixed by the customer's specification, to the letter.
    'application:error.empty': 'please',
    'application:error.not_found': 'please',
    'api:detail.application_not_found': 'please',
    'api:detail.empty_number': 'please',
    'application:lost.error.invalid': 'please',
    'form:errors.firstName.required.text': 'please',
    'form:errors.email.invalid.text': 'please',
    'gateway:error.fillIn': 'please',
    'insurance:errors.productId.required.title': 'please',
    'insurance:errors.productId.unknown.title': 'please',
    'visa:refused.prerequisites.text': 'please',
    'visa:refused.form.text': 'please',
    'visa:errors.saveEmail.invalid.text': 'please',
    // An apology.
    'site:maintenance.lead': 'please',
    // The seals of the audit trail, which encrypt nothing.
    'books:audit.seals.lead': 'sealed',
    'books:audit.seals.none': 'sealed',
    'books:audit.seals.good_one': 'sealed',
    'books:audit.seals.good_other': 'sealed',
    'books:audit.seals.finding.day': 'sealed',
    'books:audit.seals.finding.changed': 'sealed',
  },
  tr: {
    // Where the specification, or English in an apology, says "please".
    'application:error.empty': 'lütfen',
    'application:error.not_found': 'lütfen',
    'api:detail.application_not_found': 'lütfen',
    'api:detail.empty_number': 'lütfen',
    'application:lost.error.invalid': 'lütfen',
    'form:errors.firstName.required.text': 'lütfen',
    'form:errors.email.invalid.text': 'lütfen',
    'gateway:error.fillIn': 'lütfen',
    'insurance:errors.productId.required.title': 'lütfen',
    'insurance:errors.productId.unknown.title': 'lütfen',
    'visa:refused.prerequisites.text': 'lütfen',
    'visa:refused.form.text': 'lütfen',
    'visa:errors.saveEmail.invalid.text': 'lütfen',
    'site:maintenance.lead': 'lütfen',
  },
  fr: {
    // The seals of the audit trail, which encrypt nothing.
    'books:audit.seals.lead': 'scellé',
    'books:audit.seals.none': 'scellé',
    'books:audit.seals.good_one': 'scellé',
  },
};

/**
 * Sentences used twice in English and written differently in other languages, whose grammar distinguishes the cases.
 */
const translatedDifferently = new Set([
  // A heading addresses the reader; a button names the action.
  'Choose a new password',
  // What is copied or entered has a gender and a number.
  'Enter it as your passport shows it',
  'Copy it from the two lines of code at the bottom of your passport’s photo page',
  // Mother and father.
  'If no document names this parent, enter UNKNOWN',
  // An action, and its entry in a list.
  'Marked as not a duplicate',
  // Turkish has a separate word for the reason of a rejection.
  'The reason must be … characters or fewer.',
]);

const read = (...path: string[]) => readFileSync(join(projectRoot, ...path), 'utf8');

/** `a.b.c` → text */
const flatten = (texts: object, prefix = ''): [place: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );

/** Removes what is not shown: placeholders, addresses of links, tags and comments. */
const shown = (text: string) =>
  text
    .replaceAll(/\{\{[^}]*\}\}/g, '…')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\b[\w.-]+\.gov\.tr\b/g, '');

/** Every text of a language with its place: `namespace:key`, or a page and its line. */
function textsOf(code: string): [place: string, text: string][] {
  const inLocales = readdirSync(join(projectRoot, 'locales', code)).flatMap((file) =>
    flatten(JSON.parse(read('locales', code, file)), `${file.replace('.json', '')}:`),
  );
  const inPages = readdirSync(join(projectRoot, 'text', code)).flatMap((file) =>
    read('text', code, file)
      .split('\n')
      .map((line, index): [string, string] => [`${file}:${index + 1}`, line]),
  );
  return [...inLocales, ...inPages].map(([place, text]) => [place, shown(text)]);
}

/** By language: what texts say, and the words that they do not use for it; any ending where a star stands. */
const refusedWords: Record<Language, Record<string, string>> = JSON.parse(
  read('test', 'refused-words.json'),
);

const refusedIn = (code: Language) => Object.values(refusedWords[code]).join(', ').split(', ');

/** Matches a whole word, also with a capital first letter; any ending where a star stands. */
function matcher(word: string): RegExp {
  const stem = word.replace('*', '');
  const first = stem.slice(0, 1);
  const rest = stem.slice(1).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const end = word.endsWith('*') ? '' : '(?!\\p{L})';
  return new RegExp(`(?<!\\p{L})[${first}${first.toUpperCase()}]${rest}${end}`, 'u');
}

/** Sentences of at least four words that occur several times in English; plural forms count as one place. */
const sameInEnglish = [
  ...Map.groupBy(
    textsOf('en').filter(
      ([place, text]) =>
        place.includes(':') &&
        !/_(zero|one|two|few|many|other)$|\.md:/.test(place) &&
        text.split(/\s+/).length > 3,
    ),
    ([, text]) => text,
  ),
]
  .filter(([text, places]) => places.length > 1 && !translatedDifferently.has(text))
  .map(([text, places]): [string, string[]] => [text, places.map(([place]) => place)]);

describe.each(languageCodes)('texts in %s', (code) => {
  const texts = textsOf(code);
  const excepted = exceptions[code] ?? {};

  test('use no word that test/refused-words.json refuses', () => {
    const found = refusedIn(code).flatMap((word) => {
      const match = matcher(word);
      return texts
        .filter(([place, text]) => match.test(text) && excepted[place] !== word)
        .map(([place, text]) => `${word} – ${place}: ${text}`);
    });
    expect(found).toEqual([]);
  });

  test('say in one way what English says in one way', () => {
    const own = new Map(texts);
    const found = [...sameInEnglish].flatMap(([text, places]) => {
      const ways = new Set(places.map((place) => own.get(place)));
      return ways.size > 1 ? [`${text}: ${[...ways].join(' / ')}`] : [];
    });
    expect(found).toEqual([]);
  });

  test('have no exception in vain', () => {
    const idle = Object.entries(excepted).filter(
      ([place, word]) =>
        !texts.some(([one, text]) => one === place && matcher(word).test(text)) ||
        !refusedIn(code).includes(word),
    );
    expect(idle).toEqual([]);
  });
});

test('English has no exclamation marks, straight quotation marks, three dots or hyphens in ranges', () => {
  const fixed = [
    // Fixed by the customer's specification.
    'catalog:countryField.loading',
    // A day as calls write it.
    'api:field.date_format',
  ];
  const found = textsOf('en').filter(
    ([place, text]) => /['"!]|\.\.\.|\d-\d/.test(text) && !fixed.includes(place),
  );
  expect(found).toEqual([]);
});

test('French has a no-break space before the colon, and a narrow one before ; ! ? and within « »', () => {
  const found = textsOf('fr').filter(([, text]) =>
    /(?<!\u00a0):(?=\s|$)|[ \u202f]:|(?<!\u202f)[;!?»]|«(?!\u202f)/.test(
      text.replaceAll(/^:?-+:?$|\b(https?|mailto):/g, ''),
    ),
  );
  expect(found).toEqual([]);
});
