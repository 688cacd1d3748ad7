import { type Language, languageCodes, languages } from '~/base/languages.ts';
import {
  readPublishedTerms,
  TERMS_SUBJECT,
  decidedTerms,
} from '~/features/insurance/store/plan-store.server.ts';
import {
  MAX_WORDING_LENGTH,
  type Cover,
  type PublishedTerms,
  type TranslatedText,
} from '~/features/insurance/rules/terms.ts';
import { valuesInForce } from '~/features/settings/change.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { operatorProblem } from './operator.server.ts';
import {
  MAX_LINE_LENGTH,
  readSettingText,
  type ControlGroup,
  type OpeningSection,
  type OpenSection,
  type SectionPart,
  type SettingsProblem,
  type TypedSettings,
} from './section.server.ts';
import { SETTINGS } from './sections.ts';

/** Most lines of what an insurance covers. */
const MAX_COVERS = 12;

const PAGE = `${SETTINGS}/insurance`;

/** The insurer's details, in form order; only the licence is optional. */
const insurerFields = [
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
      title.length + limit.length <= MAX_LINE_LENGTH,
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
  const text = (name: string) => readSettingText(typed, name);
  for (const field of insurerFields) {
    const problem = insurerProblem(field, text(field));
    if (problem) problems.push({ field, ...problem });
  }
  const english = coverLines(text('covers-en'));
  if (!english || english.length === 0 || english.length > MAX_COVERS) {
    problems.push({ field: 'covers-en', code: 'cover_unreal', values: { most: MAX_COVERS } });
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
    if (text(`wording-${code}`).length > MAX_WORDING_LENGTH) {
      problems.push({
        field: `wording-${code}`,
        code: 'wording_long',
        values: { limit: MAX_WORDING_LENGTH },
      });
    }
  }
  if (problems.length > 0 || !english) return { terms: null, problems };
  const inAll = (first: string, others: (code: Language) => string | undefined): TranslatedText => {
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

function insurerProblem(field: InsurerField, text: string): Omit<SettingsProblem, 'field'> | null {
  if (text.length > MAX_LINE_LENGTH)
    return { code: 'operator_long', values: { limit: MAX_LINE_LENGTH } };
  if (field === 'licence') return null;
  // Text in brackets is a placeholder.
  if (text === '' || /^\[.*\]$/.test(text)) return { code: 'operator_required' };
  return field === 'assistancePhone' ? operatorProblem('supportPhone', text) : null;
}

const isSame = (a: PublishedTerms | null, b: PublishedTerms | null): boolean =>
  JSON.stringify(typedTerms(a)) === JSON.stringify(typedTerms(b)) && a?.isSample === b?.isSample;

/**
 * The insurer, what is covered, and the terms; without them live mode sells no insurance. `?end=yes` asks when and why
 * insurance is no longer sold; both forms submit the same kind of decision.
 */
export function openTerms({ language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  return {
    title: t('insurance_terms.title'),
    lead: t('terms.lead'),
    view(settings, now, search) {
      const terms = decidedTerms(settings, now)?.terms ?? null;
      const state = terms ? (terms.isSample ? 'sample' : 'published') : 'none';
      const isEnding = search.get('end') === 'yes' && terms !== null;
      const above: SectionPart =
        state === 'published'
          ? { links: [{ to: '/insurance/terms', label: t('terms.look') }] }
          : { notice: { tone: 'amber', text: t(`terms.state.${state}`) } };
      const end: SectionPart = {
        heading: t('terms.end.title'),
        texts: [t('terms.end.text')],
        button: { to: `${PAGE}?end=yes#form`, label: t('terms.end.open') },
      };
      return {
        above: [above],
        form: isEnding
          ? {
              title: t('terms.end.title'),
              texts: [t('terms.end.text')],
              link: { to: PAGE, label: t('terms.end.back') },
              hidden: { end: 'yes' },
              groups: [],
            }
          : // Sample terms are not offered for change, so that nobody publishes what they did not enter.
            { groups: groupsOf(terms?.isSample ? null : terms, language) },
        below: state === 'none' || isEnding ? [] : [end],
      };
    },
    read(typed, settings, at) {
      const then = readPublishedTerms(valuesInForce(settings, 'insurance_terms', at));
      if (typed.end === 'yes') {
        return { values: then ? { [TERMS_SUBJECT]: null } : {}, problems: [] };
      }
      const { terms, problems } = readTerms(typed);
      const values = terms && !isSame(terms, then) ? { [TERMS_SUBJECT]: terms } : {};
      return { values, problems };
    },
    rows(values, settings, at) {
      const before = inWords(
        readPublishedTerms(valuesInForce(settings, 'insurance_terms', at)),
        language,
      );
      const after = inWords(readPublishedTerms(values), language);
      return [...new Set([...before.keys(), ...after.keys()])].flatMap((label) => {
        const row = { label, before: before.get(label) ?? null, after: after.get(label) ?? null };
        return row.before === row.after ? [] : [row];
      });
    },
    lines({ values }) {
      const terms = readPublishedTerms(values);
      if (!terms) return [t('terms.ended')];
      const name = terms.insurer ?? '–';
      return [
        terms.isSample
          ? t('terms.sampleLine', { insurer: name })
          : t('terms.line', { insurer: name }),
        ...terms.covers.map(({ title, limit }) => `${title?.en ?? '–'}: ${limit?.en ?? '–'}`),
      ];
    },
  };
}

function groupsOf(terms: PublishedTerms | null, language: Language): ControlGroup[] {
  const t = makeTranslate(language, 'settings');
  const shown = typedTerms(terms);
  const area = (name: string, code: Language, rows: number) => ({
    kind: 'area' as const,
    name: `${name}-${code}`,
    value: shown[`${name}-${code}`] ?? '',
    language: code,
    rows,
  });
  return [
    {
      rows: insurerFields.map((field) => [
        {
          kind: 'text',
          name: field,
          label: t(`terms.field.${field}`),
          value: shown[field] ?? '',
          hint: field === 'licence' ? t('terms.licenceHint') : undefined,
          latin: field === 'assistancePhone',
          maxLength: MAX_LINE_LENGTH,
          width: 'full',
        },
      ]),
    },
    ...languages.map(({ code, name }): ControlGroup => ({
      title: name,
      rows: [
        [
          {
            ...area('covers', code, 4),
            label: t('terms.field.covers'),
            hint:
              code === 'en' ? t('terms.coversHint', { most: MAX_COVERS }) : t('terms.otherHint'),
          },
        ],
        [{ ...area('wording', code, 10), label: t('terms.field.wording') }],
      ],
    })),
  ];
}

const wordedFields = [...insurerFields, 'covers', 'wording'] as const;

/** Terms line by line; a wording by its beginning and length. */
function inWords(terms: PublishedTerms | null, language: Language): Map<string, string> {
  const t = makeTranslate(language, 'settings');
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
