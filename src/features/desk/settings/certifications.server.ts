import { randomUUID } from 'node:crypto';
import { typedDate, formatDate, parseDate } from '~/base/dates/dates.ts';
import {
  certificationsInForce,
  certificationValue,
  isValidOn,
  type Certification,
} from '~/features/settings/certifications.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  isWebAddress,
  lineTooLong,
  MAX_LINE_LENGTH,
  readSettingText,
  type ControlGroup,
  type OpeningSection,
  type OpenSection,
  type SettingsProblem,
  type TypedSettings,
} from './section.server.ts';
import { SETTINGS } from './sections.ts';

const ID = /^[0-9a-f-]{36}$/;

/** Certifications; `?edit=` opens one, otherwise the form adds one. */
export function openCertifications({ language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  /** "ISO 27001, no. 123, issued by Example, valid until 5 March 2027, https://…". */
  const inWords = ({ validUntil, ...one }: Certification): string => {
    const day = parseDate(validUntil);
    return t('certifications.inWords', {
      ...one,
      date: day ? formatDate(day, language) : validUntil,
    });
  };
  const fields = (opened: Certification | undefined): ControlGroup => ({
    rows: [
      ...(['name', 'number', 'issuer', 'evidence'] as const).map((field) => [
        {
          kind: 'text' as const,
          name: field,
          label: t(`certifications.field.${field}`),
          value: opened?.[field] ?? '',
          hint: field === 'evidence' ? t('certifications.evidenceHint') : undefined,
          latin: field === 'evidence' || field === 'number',
          type: field === 'evidence' ? ('url' as const) : undefined,
          maxLength: MAX_LINE_LENGTH,
          width: 'full' as const,
        },
      ]),
      [
        {
          kind: 'date',
          name: 'validUntil',
          label: t('certifications.field.validUntil'),
          value: opened?.validUntil ?? '',
        },
      ],
      ...(opened
        ? [
            [
              {
                kind: 'radio' as const,
                name: 'remove',
                label: t('certifications.keep'),
                value: 'no',
                options: (['no', 'yes'] as const).map((one) => ({
                  value: one,
                  label: t(`certifications.remove.${one}`),
                })),
              },
            ],
          ]
        : []),
    ],
  });
  return {
    title: t('certifications.title'),
    lead: t('certifications.lead'),
    view(settings, now, search) {
      const standing = certificationsInForce(settings, now);
      const opened = standing.find(({ id }) => id === search.get('edit'));
      return {
        above: [
          {
            texts: standing.length === 0 ? [t('certifications.none')] : [],
            items: standing.map((one) => ({
              lines: [
                isValidOn(one, now)
                  ? inWords(one)
                  : `${inWords(one)} · ${t('certifications.expired')}`,
              ],
              link: {
                to: `${SETTINGS}/certifications?edit=${one.id}#form`,
                label: t('certifications.open', { name: one.name }),
              },
            })),
          },
        ],
        form: {
          about: opened?.id,
          hidden: { id: opened?.id ?? randomUUID() },
          groups: [fields(opened)],
        },
      };
    },
    read(typed, settings, at) {
      const id = readSettingText(typed, 'id');
      if (!ID.test(id)) return { values: {}, problems: [] };
      const known = certificationsInForce(settings, at).find((one) => one.id === id);
      if (typed.remove === 'yes') return { values: known ? { [id]: null } : {}, problems: [] };
      const { value, problems } = readCertification(typed, at);
      const isSame = known !== undefined && inWords(known) === inWords(value);
      return { values: isSame ? {} : { [id]: value }, problems };
    },
    rows: (values, settings, at) =>
      Object.entries(values).map(([id, value]) => {
        const after = certificationValue.parse(value);
        const before = certificationsInForce(settings, at).find((one) => one.id === id);
        return {
          label: after?.name ?? before?.name ?? t('certifications.title'),
          before: before ? inWords(before) : null,
          after: after && inWords(after),
        };
      }),
    lines: ({ values }) =>
      Object.values(values).map((value) => {
        const read = certificationValue.parse(value);
        return read ? inWords(read) : t('certifications.removed');
      }),
  };
}

/** Reads one certification; every part is required. */
function readCertification(
  typed: TypedSettings,
  at: Date,
): { value: Certification; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const [name, number, issuer] = [
    readSettingText(typed, 'name'),
    readSettingText(typed, 'number'),
    readSettingText(typed, 'issuer'),
  ];
  for (const [field, text] of Object.entries({ name, number, issuer })) {
    if (text === '') problems.push({ field, code: 'certification_required' });
    else if (text.length > MAX_LINE_LENGTH) problems.push(lineTooLong(field));
  }
  const evidence = readSettingText(typed, 'evidence');
  if (!isWebAddress(evidence)) problems.push({ field: 'evidence', code: 'evidence_required' });
  const validUntil = typedDate(typed, 'validUntil');
  const value = { name, number, issuer, validUntil: validUntil ?? '', evidence };
  if (!validUntil) problems.push({ field: 'validUntil', code: 'day_unreal' });
  else if (!isValidOn(value, at)) problems.push({ field: 'validUntil', code: 'expired' });
  return { value, problems };
}
