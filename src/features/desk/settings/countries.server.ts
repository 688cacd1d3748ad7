import { dateFromParts, dateOf, formatDate, partsOf, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import {
  regimes,
  travelDocuments,
  type Country,
  type TravelDocument,
} from '~/features/catalog/regime.ts';
import {
  decidedRegimes,
  isEvisa,
  isWithoutStay,
  regimeAt,
  regimeSubject,
  regimeValue,
  type RegimeValue,
} from '~/features/catalog/regime-change.server.ts';
import type { Change, Settings } from '~/features/settings/change.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Read, SectionForm } from './handle-decision-submit.server.ts';
import type { ChangeRow, SettingsProblem, TypedSettings } from './typed-settings.ts';

const LONGEST_STAY = 365;
const LONGEST_TEXT = 1000;

export const documentNamed = (name: string | null | undefined): TravelDocument =>
  travelDocuments.find((document) => document === name) ?? 'ordinary';

/** The regimes possible on a document: our e-visas are for ordinary passports only. */
export const regimesOf = (document: TravelDocument) =>
  document === 'ordinary' ? regimes : decidedRegimes.filter((regime) => !isEvisa(regime));

const TEXTS = ['source', 'sourceAddress', 'note'] as const;
type Controls =
  | 'regime'
  | 'maxStayDays'
  | 'entries'
  | (typeof TEXTS)[number]
  | `checked-${'day' | 'month' | 'year'}`;

/** A regime as the form's controls hold it. */
export function controlsOf(value: RegimeValue): Record<Controls, string> {
  const checked = partsOf(value.checkedOn);
  return {
    regime: value.regime,
    maxStayDays: value.maxStayDays === null ? '' : String(value.maxStayDays),
    entries: value.entries ?? '',
    source: value.source,
    sourceAddress: value.sourceAddress,
    note: value.note,
    'checked-day': String(checked.day),
    'checked-month': String(checked.month),
    'checked-year': String(checked.year),
  };
}

/** Reads the controls; values that a regime does not use (entries without an e-visa) are dropped. */
function readRegime(
  typed: TypedSettings,
  document: TravelDocument,
  now: Date,
): { value: RegimeValue | null; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const text = (name: Controls) => (typed[name] ?? '').trim();
  const regime = regimesOf(document).find((one) => one === text('regime'));
  if (!regime) problems.push({ field: 'regime', code: 'regime_required' });
  const grantsEvisa = regime !== undefined && isEvisa(regime);
  const days = /^\d{1,3}$/.test(text('maxStayDays')) ? Number(text('maxStayDays')) : null;
  const hasStay = days !== null && days >= 1 && days <= LONGEST_STAY;
  if (regime !== undefined && !isWithoutStay(regime) && !hasStay) {
    problems.push({
      field: 'maxStayDays',
      code: 'stay_unreal',
      values: { most: LONGEST_STAY },
    });
  }
  const entries = (['single', 'multiple'] as const).find((one) => one === text('entries'));
  if (grantsEvisa && !entries) problems.push({ field: 'entries', code: 'entries_required' });
  if (text('source') === '') problems.push({ field: 'source', code: 'source_required' });
  if (text('sourceAddress') !== '' && !isWebAddress(text('sourceAddress'))) {
    problems.push({ field: 'sourceAddress', code: 'address_unreal' });
  }
  const checkedOn = dateFromParts({
    day: text('checked-day'),
    month: text('checked-month'),
    year: text('checked-year'),
  });
  if (!checkedOn) problems.push({ field: 'checked', code: 'day_unreal' });
  else if (checkedOn > dateOf(now, UTC)) problems.push({ field: 'checked', code: 'day_future' });
  for (const field of TEXTS) {
    if (text(field).length > LONGEST_TEXT) {
      problems.push({ field, code: 'text_too_long', values: { limit: LONGEST_TEXT } });
    }
  }
  if (!regime || !checkedOn || problems.length > 0) return { value: null, problems };
  const value = {
    regime,
    maxStayDays: isWithoutStay(regime) ? null : days,
    entries: grantsEvisa ? (entries ?? null) : null,
    source: text('source'),
    sourceAddress: text('sourceAddress'),
    note: text('note'),
    checkedOn,
  };
  return { value, problems };
}

export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'https:';

export function countryForm(
  country: Country,
  page: string,
  language: Language,
  now: Date,
): SectionForm {
  function read(typed: TypedSettings, settings: Settings, at: Date): Read {
    const document = documentNamed(typed.document);
    const { value, problems } = readRegime(typed, document, now);
    if (value === null) return { values: {}, problems };
    const then = regimeAt(country, document, settings, at);
    const isSame = JSON.stringify(controlsOf(then)) === JSON.stringify(controlsOf(value));
    return { values: isSame ? {} : { [regimeSubject(country.code, document)]: value }, problems };
  }

  function rows(values: Read['values'], settings: Settings, at: Date): ChangeRow[] {
    return Object.entries(values).flatMap(([subject, value]) => {
      const document = documentNamed(subject.split('.')[1]);
      const before = wordsOf(regimeAt(country, document, settings, at), language);
      const after = wordsOf(regimeValue.parse(value), language);
      return after.flatMap((row, index): ChangeRow[] => {
        const was = before[index]?.text ?? null;
        return was === row.text ? [] : [{ label: row.label, before: was, after: row.text }];
      });
    });
  }

  return { section: 'countries', page, read, rows, fits: () => true };
}

/** A regime in words, one line for each part, in a fixed order. */
function wordsOf(value: RegimeValue, language: Language) {
  const t = textsIn(language, 'settings');
  const { maxStayDays, entries } = value;
  const or = (text: string) => (text === '' ? null : text);
  return [
    { label: t('countries.regime'), text: t(`countries.regimes.${value.regime}`) },
    {
      label: t('countries.stay'),
      text: maxStayDays === null ? null : t('countries.days', { count: maxStayDays }),
    },
    { label: t('countries.entries'), text: entries && t(`catalog:entries.${entries}`) },
    { label: t('countries.source'), text: or(value.source) },
    { label: t('countries.sourceAddress'), text: or(value.sourceAddress) },
    { label: t('countries.checkedOn'), text: formatDate(value.checkedOn, language) },
    { label: t('countries.note'), text: or(value.note) },
  ];
}

/** "E-visa · 30 days · single entry". */
export const inShort = (value: RegimeValue, language: Language): string =>
  wordsOf(value, language)
    .slice(0, 3)
    .flatMap(({ text }) => text ?? [])
    .join(' · ');

/** Where it comes from, when it was checked, and what is in doubt. */
export const originOf = (value: RegimeValue, language: Language) =>
  wordsOf(value, language)
    .slice(3)
    .flatMap(({ label, text }) => (text === null ? [] : [{ label, text }]));

/** A decision about one country in words, by document. */
export const countryLines =
  (code: string, language: Language) =>
  ({ values }: Change): string[] => {
    const t = textsIn(language, 'catalog');
    return Object.entries(values).flatMap(([subject, value]) => {
      if (subject.split('.')[0] !== code) return [];
      const document = t(`travelDocument.${documentNamed(subject.split('.')[1])}`);
      const regime = regimeValue.parse(value);
      const origin = [regime.source, regime.sourceAddress].filter((text) => text !== '');
      return [`${document}: ${inShort(regime, language)}`, ...origin];
    });
  };

export const isAbout =
  (code: string) =>
  ({ values }: Change): boolean =>
    Object.keys(values).some((subject) => subject.split('.')[0] === code);
