import { dateFromParts, formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { isValidOn, type Certification } from '~/features/settings/certification.ts';
import { certificationsAt, certificationValue } from '~/features/settings/certifications.server.ts';
import type { Change } from '~/features/settings/change.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { isWebAddress } from './countries.server.ts';
import type { SectionForm } from './handle-decision-submit.server.ts';
import {
  type ChangeRow,
  lineProblem,
  LONGEST_LINE,
  type SettingsProblem,
  type TypedSettings,
} from './typed-settings.ts';

const ID = /^[0-9a-f-]{36}$/;

/** Reads one certification; every part is required. */
function readCertification(
  typed: TypedSettings,
  at: Date,
): { value: Certification | null; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const text = (name: string) => (typed[name] ?? '').trim();
  for (const field of ['name', 'number', 'issuer']) {
    if (text(field) === '') problems.push({ field, code: 'certification_required' });
    else if (text(field).length > LONGEST_LINE) {
      problems.push(lineProblem(field, 'operator_long'));
    }
  }
  const validUntil = dateFromParts({
    day: text('validUntil-day'),
    month: text('validUntil-month'),
    year: text('validUntil-year'),
  });
  const evidence = text('evidence');
  if (!isWebAddress(evidence)) problems.push({ field: 'evidence', code: 'evidence_required' });
  const value = {
    name: text('name'),
    number: text('number'),
    issuer: text('issuer'),
    validUntil: validUntil ?? '',
    evidence,
  };
  if (!validUntil) problems.push({ field: 'validUntil', code: 'day_unreal' });
  else if (!isValidOn(value, at)) problems.push({ field: 'validUntil', code: 'expired' });
  return problems.length > 0 ? { value: null, problems } : { value, problems };
}

export function certificationsForm(page: string, language: Language): SectionForm {
  const t = textsIn(language, 'settings');
  return {
    section: 'certifications',
    page,
    read(typed, settings, at) {
      const id = typed.id ?? '';
      if (!ID.test(id)) return { values: {}, problems: [] };
      const known = certificationsAt(settings, at).find((one) => one.id === id);
      if (typed.remove === 'yes') return { values: known ? { [id]: null } : {}, problems: [] };
      const { value, problems } = readCertification(typed, at);
      const isSame =
        known !== undefined &&
        value !== null &&
        inWords(known, language) === inWords(value, language);
      return { values: value && !isSame ? { [id]: value } : {}, problems };
    },
    rows(values, settings, at) {
      return Object.entries(values).map(([id, value]): ChangeRow => {
        const after = certificationValue.parse(value);
        const before = certificationsAt(settings, at).find((one) => one.id === id);
        return {
          label: after?.name ?? before?.name ?? t('certifications.title'),
          before: before ? inWords(before, language) : null,
          after: after && inWords(after, language),
        };
      });
    },
    fits: () => true,
  };
}

/** "ISO 27001, no. 123, issued by Example, valid until 5 March 2027, https://…". */
export function inWords(
  { name, number, issuer, validUntil, evidence }: Certification,
  language: Language,
): string {
  const day = parseDate(validUntil);
  const date = day ? formatDate(day, language) : validUntil;
  const t = textsIn(language, 'settings');
  return t('certifications.inWords', { name, number, issuer, date, evidence });
}

export const certificationLines =
  (language: Language) =>
  ({ values }: Change): string[] => {
    const t = textsIn(language, 'settings');
    return Object.values(values).map((value) => {
      const read = certificationValue.parse(value);
      return read ? inWords(read, language) : t('certifications.removed');
    });
  };
