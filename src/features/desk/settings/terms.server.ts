import { type Language, languageCodes } from '~/base/languages.ts';
import { publishedTermsIn, TERMS_SUBJECT } from '~/features/insurance/store/terms-store.server.ts';
import {
  LONGEST_WORDING,
  type Cover,
  type PublishedTerms,
  type Translated,
} from '~/features/insurance/rules/terms.ts';
import { valuesAt, type Change } from '~/features/settings/change.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { operatorProblem } from './operator.server.ts';
import type { SectionForm } from './handle-decision-submit.server.ts';
import {
  lineProblem,
  LONGEST_LINE,
  MOST_COVERS,
  type SettingsError,
  type SettingsProblem,
  type TypedSettings,
} from './typed-settings.ts';

/** The insurer's details, in form order; only the licence is optional. */
export const insurerFields = [
  'insurer',
  'address',
  'licence',
  'assistancePhone',
  'complaintContact',
] as const;
type InsurerField = (typeof insurerFields)[number];

/** "Emergency medical treatment | USD 30,000": one cover per line. Null for an invalid line. */
function coverLines(text: string): { title: string; limit: string }[] | null {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const read = lines.map((line) => line.split('|').map((part) => part.trim()));
  return read.every(
    ([title = '', limit = '', ...rest]) =>
      title !== '' &&
      limit !== '' &&
      rest.length === 0 &&
      title.length + limit.length <= LONGEST_LINE,
  )
    ? read.map(([title = '', limit = '']) => ({ title, limit }))
    : null;
}

const ofCover = (covers: readonly Cover[], language: Language): string =>
  covers
    .flatMap(({ title, limit }) => {
      const [text, sum] = [title?.[language], limit?.[language]];
      return text && sum ? [`${text} | ${sum}`] : [];
    })
    .join('\n');

/** The form's values for terms. */
export function typedTerms(terms: PublishedTerms | null): Record<string, string> {
  const texts = insurerFields.map((field) => [field, terms?.[field] ?? ''] as const);
  const perLanguage = languageCodes.flatMap((code) => [
    [`covers-${code}`, ofCover(terms?.covers ?? [], code)] as const,
    [`wording-${code}`, terms?.wording?.[code] ?? ''] as const,
  ]);
  return Object.fromEntries([...texts, ...perLanguage]);
}

/** Reads the whole form: terms change as a whole, so that no version mixes two. */
export function readTerms(typed: TypedSettings): {
  terms: PublishedTerms | null;
  problems: SettingsProblem[];
} {
  const problems: SettingsProblem[] = [];
  const text = (name: string) => (typed[name] ?? '').replaceAll('\r\n', '\n').trim();
  for (const field of insurerFields) {
    const code = insurerProblem(field, text(field));
    if (code) problems.push(lineProblem(field, code));
  }
  const english = coverLines(text('covers-en'));
  if (!english || english.length === 0 || english.length > MOST_COVERS) {
    problems.push({ field: 'covers-en', code: 'cover_unreal', values: { most: MOST_COVERS } });
  }
  const covers = new Map<Language, { title: string; limit: string }[]>();
  for (const code of languageCodes) {
    const lines = coverLines(text(`covers-${code}`));
    if (code === 'en' || lines?.length === 0) continue;
    if (lines?.length === english?.length && lines) covers.set(code, lines);
    else problems.push({ field: `covers-${code}`, code: 'cover_lines' });
  }
  if (text('wording-en') === '') problems.push({ field: 'wording-en', code: 'operator_required' });
  for (const code of languageCodes) {
    if (text(`wording-${code}`).length > LONGEST_WORDING) {
      problems.push({
        field: `wording-${code}`,
        code: 'wording_long',
        values: { limit: LONGEST_WORDING },
      });
    }
  }
  if (problems.length > 0 || !english) return { terms: null, problems };
  const inAll = (first: string, others: (code: Language) => string | undefined): Translated => {
    const further = languageCodes.flatMap((code) => {
      const other = code === 'en' ? undefined : others(code);
      return other ? [[code, other] as const] : [];
    });
    return { en: first, ...Object.fromEntries(further) };
  };
  const terms: PublishedTerms = {
    isSample: false,
    insurer: text('insurer'),
    address: text('address'),
    licence: text('licence') || null,
    assistancePhone: text('assistancePhone'),
    complaintContact: text('complaintContact'),
    covers: english.map(({ title, limit }, index) => ({
      code: `cover_${index + 1}`,
      title: inAll(title, (code) => covers.get(code)?.[index]?.title),
      limit: inAll(limit, (code) => covers.get(code)?.[index]?.limit),
    })),
    wording: inAll(text('wording-en'), (code) => text(`wording-${code}`)),
  };
  return { terms, problems };
}

function insurerProblem(field: InsurerField, text: string): SettingsError | null {
  if (text.length > LONGEST_LINE) return 'operator_long';
  if (field === 'licence') return null;
  if (text === '') return 'operator_required';
  // Text in brackets is a placeholder.
  if (/^\[.*\]$/.test(text)) return 'operator_required';
  return field === 'assistancePhone' ? operatorProblem('supportPhone', text) : null;
}

const isSame = (a: PublishedTerms | null, b: PublishedTerms | null): boolean =>
  JSON.stringify(typedTerms(a)) === JSON.stringify(typedTerms(b)) && a?.isSample === b?.isSample;

/** Whether the form ends the terms instead of publishing new ones. */
const endsTerms = (typed: TypedSettings): boolean => typed.end === 'yes';

export function termsForm(page: string, language: Language): SectionForm {
  return {
    section: 'insurance_terms',
    page,
    read(typed, settings, at) {
      const then = publishedTermsIn(valuesAt(settings, 'insurance_terms', at));
      if (endsTerms(typed)) return { values: then ? { [TERMS_SUBJECT]: null } : {}, problems: [] };
      const { terms, problems } = readTerms(typed);
      const values = terms && !isSame(terms, then) ? { [TERMS_SUBJECT]: terms } : {};
      return { values, problems };
    },
    rows(values, settings, at) {
      const before = inWords(publishedTermsIn(valuesAt(settings, 'insurance_terms', at)), language);
      const after = inWords(publishedTermsIn(values), language);
      return [...new Set([...before.keys(), ...after.keys()])].flatMap((label) => {
        const row = { label, before: before.get(label) ?? null, after: after.get(label) ?? null };
        return row.before === row.after ? [] : [row];
      });
    },
    fits: () => true,
  };
}

const wordedFields = [...insurerFields, 'covers', 'wording'] as const;

/** Terms line by line; a wording by its beginning and length. */
function inWords(terms: PublishedTerms | null, language: Language): Map<string, string> {
  const t = textsIn(language, 'settings');
  const lines = new Map<string, string>();
  for (const [name, text] of Object.entries(typedTerms(terms))) {
    const [typedName, code] = name.split('-');
    const kind = wordedFields.find((field) => field === typedName);
    if (text === '' || !kind) continue;
    const isLong = kind === 'wording';
    const shown = isLong
      ? t('terms.wordingShort', { start: start(text), count: text.length })
      : text;
    lines.set(code ? `${t(`terms.field.${kind}`)} (${code})` : t(`terms.field.${kind}`), shown);
  }
  return lines;
}

const start = (text: string) => Array.from(text).slice(0, 80).join('');

export const termsLines =
  (language: Language) =>
  ({ values }: Change): string[] => {
    const t = textsIn(language, 'settings');
    const terms = publishedTermsIn(values);
    if (!terms) return [t('terms.ended')];
    const name = terms.insurer ?? '–';
    return [
      terms.isSample
        ? t('terms.sampleLine', { insurer: name })
        : t('terms.line', { insurer: name }),
      ...terms.covers.map(({ title, limit }) => `${title?.en ?? '–'}: ${limit?.en ?? '–'}`),
    ];
  };
