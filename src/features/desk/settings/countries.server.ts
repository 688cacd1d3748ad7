import { typedDate, toPlainDate, formatDate, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { regimes, travelDocuments, type TravelDocument } from '~/features/catalog/regime.ts';
import {
  decidedRegimes,
  isEvisa,
  isWithoutStay,
  regimeInForce,
  regimeSubject,
  regimeValue,
  type RegimeValue,
} from '~/features/catalog/regime-change.server.ts';
import { firstCountries } from '~/features/catalog/store.server.ts';
import { noSettings, type SettingsChange } from '~/features/settings/change.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  isWebAddress,
  readSettingText,
  type ControlGroup,
  type OpeningSection,
  type OpenSection,
  type SettingsProblem,
  type TypedSettings,
} from './section.server.ts';
import { SETTINGS } from './sections.ts';

const MAX_STAY_DAYS = 365;
const MAX_COUNTRY_TEXT_LENGTH = 1000;

const documentNamed = (name: string | null | undefined): TravelDocument =>
  travelDocuments.find((document) => document === name) ?? 'ordinary';

const entryKinds = ['single', 'multiple'] as const;

/** The regimes possible on a document: our e-visas are for ordinary passports only. */
const regimesOf = (document: TravelDocument) =>
  document === 'ordinary' ? regimes : decidedRegimes.filter((regime) => !isEvisa(regime));

/** One nationality: present, past and planned terms of each document. `?document=` chooses the document. */
export async function openCountry({
  platform,
  language,
  params: { code },
}: OpeningSection): Promise<OpenSection | null> {
  const country = (await firstCountries(platform.db)).find((one) => one.code === code);
  if (!country) return null;
  const t = makeTranslate(language, 'settings');
  const ordinary = regimeSubject(country.code, 'ordinary');
  return {
    title: countryName(country, language),
    lead: t('countries.keeps'),
    up: { to: `${SETTINGS}/countries`, label: t('up.countries') },
    view(settings, now, search) {
      const document = documentNamed(search.get('document'));
      const granted = regimeInForce(country, document, settings, now);
      const origin = wordsOf(granted, language).slice(3);
      return {
        above: [
          {
            links: travelDocuments.map((one) => ({
              to: `${SETTINGS}/countries/${country.code}?document=${one}`,
              label: t(`catalog:travelDocument.${one}`),
              isCurrent: one === document,
            })),
          },
          {
            texts: [t('countries.now', { granted: summariseRegime(granted, language) })],
            items: [
              {
                lines: origin.flatMap(({ label, text }) =>
                  text === null ? [] : [`${label}: ${text}`],
                ),
              },
            ],
          },
        ],
        form: {
          about: document,
          hidden: { document },
          groups: [controlsOf(granted, document, language)],
        },
      };
    },
    read(typed, settings, at) {
      const document = documentNamed(typed.document);
      const { value, problems } = readRegime(typed, document, platform.now());
      if (value === null) return { values: {}, problems };
      const then = regimeInForce(country, document, settings, at);
      const isSame =
        JSON.stringify(wordsOf(then, language)) === JSON.stringify(wordsOf(value, language));
      return { values: isSame ? {} : { [regimeSubject(country.code, document)]: value }, problems };
    },
    rows: (values, settings, at) =>
      Object.entries(values).flatMap(([subject, value]) => {
        const document = documentNamed(subject.split('.')[1]);
        const before = wordsOf(regimeInForce(country, document, settings, at), language);
        return wordsOf(regimeValue.parse(value), language).flatMap(({ label, text }, index) => {
          const was = before[index]?.text ?? null;
          return was === text ? [] : [{ label, before: was, after: text }];
        });
      }),
    lines: ({ values }) =>
      Object.entries(values).flatMap(([subject, value]) => {
        const [of, document] = subject.split('.');
        if (of !== country.code) return [];
        const regime = regimeValue.parse(value);
        return [
          `${t(`catalog:travelDocument.${documentNamed(document)}`)}: ${summariseRegime(regime, language)}`,
          ...[regime.source, regime.sourceAddress].filter((text) => text !== ''),
        ];
      }),
    isShown: isAboutCountry(country.code),
    beginning: {
      subject: ordinary,
      line: summariseRegime(
        regimeInForce(country, 'ordinary', noSettings, platform.now()),
        language,
      ),
    },
  };
}

function controlsOf(
  value: RegimeValue,
  document: TravelDocument,
  language: Language,
): ControlGroup {
  const t = makeTranslate(language, 'settings');
  return {
    rows: [
      [
        {
          kind: 'select',
          name: 'regime',
          label: t('countries.regime'),
          value: value.regime,
          options: regimesOf(document).map((one) => ({
            value: one,
            label: t(`countries.regimes.${one}`),
          })),
          width: 'email',
        },
      ],
      [
        {
          kind: 'text',
          name: 'maxStayDays',
          label: t('countries.stayDays'),
          value: value.maxStayDays === null ? '' : String(value.maxStayDays),
          inputMode: 'numeric',
          maxLength: 3,
          width: 'short',
        },
        {
          kind: 'select',
          name: 'entries',
          label: t('countries.entries'),
          value: value.entries ?? '',
          emptyLabel: t('countries.noEntries'),
          options: entryKinds.map((one) => ({ value: one, label: t(`catalog:entries.${one}`) })),
        },
      ],
      [
        {
          kind: 'text',
          name: 'source',
          label: t('countries.source'),
          value: value.source,
          hint: t('countries.sourceHint'),
          width: 'full',
        },
      ],
      [
        {
          kind: 'text',
          name: 'sourceAddress',
          label: t('countries.sourceAddress'),
          value: value.sourceAddress,
          latin: true,
          type: 'url',
          width: 'full',
        },
      ],
      [{ kind: 'date', name: 'checked', label: t('countries.checkedOn'), value: value.checkedOn }],
      [{ kind: 'area', name: 'note', label: t('countries.note'), value: value.note }],
    ],
  };
}

/** Reads the controls; values that a regime does not use (entries without an e-visa) are dropped. */
function readRegime(
  typed: TypedSettings,
  document: TravelDocument,
  now: Date,
): { value: RegimeValue | null; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const regime = regimesOf(document).find((one) => one === readSettingText(typed, 'regime'));
  if (!regime) problems.push({ field: 'regime', code: 'regime_required' });
  const grantsEvisa = regime !== undefined && isEvisa(regime);
  const stay = readSettingText(typed, 'maxStayDays');
  const days = /^\d{1,3}$/.test(stay) ? Number(stay) : null;
  const hasStay = days !== null && days >= 1 && days <= MAX_STAY_DAYS;
  if (regime !== undefined && !isWithoutStay(regime) && !hasStay) {
    problems.push({ field: 'maxStayDays', code: 'stay_unreal', values: { most: MAX_STAY_DAYS } });
  }
  const entries = entryKinds.find((one) => one === readSettingText(typed, 'entries'));
  if (grantsEvisa && !entries) problems.push({ field: 'entries', code: 'entries_required' });
  const [source, sourceAddress, note] = [
    readSettingText(typed, 'source'),
    readSettingText(typed, 'sourceAddress'),
    readSettingText(typed, 'note'),
  ];
  if (source === '') problems.push({ field: 'source', code: 'source_required' });
  if (sourceAddress !== '' && !isWebAddress(sourceAddress)) {
    problems.push({ field: 'sourceAddress', code: 'address_unreal' });
  }
  const checkedOn = typedDate(typed, 'checked');
  if (!checkedOn) problems.push({ field: 'checked', code: 'day_unreal' });
  else if (checkedOn > toPlainDate(now, UTC))
    problems.push({ field: 'checked', code: 'day_future' });
  for (const [field, text] of Object.entries({ source, sourceAddress, note })) {
    if (text.length > MAX_COUNTRY_TEXT_LENGTH) {
      problems.push({ field, code: 'text_too_long', values: { limit: MAX_COUNTRY_TEXT_LENGTH } });
    }
  }
  if (!regime || !checkedOn || problems.length > 0) return { value: null, problems };
  const value = {
    regime,
    maxStayDays: isWithoutStay(regime) ? null : days,
    entries: grantsEvisa ? (entries ?? null) : null,
    source,
    sourceAddress,
    note,
    checkedOn,
  };
  return { value, problems };
}

/** A regime in words, one line for each part, in a fixed order: what is granted, then where it comes from. */
function wordsOf(value: RegimeValue, language: Language) {
  const t = makeTranslate(language, 'settings');
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
export const summariseRegime = (value: RegimeValue, language: Language): string =>
  wordsOf(value, language)
    .slice(0, 3)
    .flatMap(({ text }) => text ?? [])
    .join(' · ');

/** Whether a decision is about a country, on any document. */
export const isAboutCountry =
  (code: string) =>
  ({ values }: SettingsChange): boolean =>
    Object.keys(values).some((subject) => subject.split('.')[0] === code);
