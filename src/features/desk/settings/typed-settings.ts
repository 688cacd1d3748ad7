import { dateFromParts } from '~/base/dates/dates.ts';
import { numberFormat } from '~/base/intl.ts';
import { intlLocaleOf, type Language } from '~/base/languages.ts';
import type { Values } from '~/base/read-text.ts';
import type { CodeIn } from '~/base/text-keys.ts';

/** A form's values, by control. */
export type TypedSettings = Readonly<Record<string, string>>;

export type SettingsError = CodeIn<'settings', 'error'>;

/** What is wrong with a control; texts are `settings:error.<code>`. */
export type SettingsProblem = {
  field: string;
  code: SettingsError;
  /** Parameters of the text; numbers are written in the reader's language. */
  values?: Record<string, string | number>;
};

export const LONGEST_REASON = 500;
/** Characters of a one-line text. */
export const LONGEST_LINE = 300;
/** Most lines of what an insurance covers. */
export const MOST_COVERS = 12;
/** Years ahead in which a decision may take effect; later is a typing mistake. */
const YEARS_AHEAD = 5;

/** When a decision takes effect (null: now) and its reason, with their problems. */
export function readWhen(
  typed: TypedSettings,
  now: Date,
): { validFrom: Date | null; reason: string; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const reason = (typed.reason ?? '').trim();
  if (reason === '') problems.push({ field: 'reason', code: 'reason_required' });
  if (reason.length > LONGEST_REASON) {
    problems.push({ field: 'reason', code: 'reason_too_long', values: { limit: LONGEST_REASON } });
  }
  if (typed.from !== 'later') return { validFrom: null, reason, problems };
  const validFrom = readMoment(typed);
  if (validFrom === null) problems.unshift({ field: 'date', code: 'moment_unreal' });
  else if (validFrom <= now) problems.unshift({ field: 'date', code: 'moment_past' });
  else if (validFrom.getUTCFullYear() > now.getUTCFullYear() + YEARS_AHEAD) {
    problems.unshift({ field: 'date', code: 'moment_far', values: { years: YEARS_AHEAD } });
  }
  return { validFrom, reason, problems };
}

/** `date-day`, `date-month`, `date-year` and `time` (14:30), in UTC. */
function readMoment(typed: TypedSettings): Date | null {
  const date = dateFromParts({
    day: typed['date-day'] ?? '',
    month: typed['date-month'] ?? '',
    year: typed['date-year'] ?? '',
  });
  const time = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec((typed.time ?? '').trim());
  if (!date || !time) return null;
  const [, hour = '', minute = ''] = time;
  return new Date(`${date}T${hour.padStart(2, '0')}:${minute}:00Z`);
}

/** A problem of a one-line text. */
export const lineProblem = (field: string, code: SettingsError): SettingsProblem =>
  code === 'operator_long' ? { field, code, values: { limit: LONGEST_LINE } } : { field, code };

/** The parameters of a problem's text. */
export const valuesOf = ({ values = {} }: SettingsProblem, language: Language): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? numberFormat(intlLocaleOf(language)).format(value) : value,
    ]),
  );

/** The control that says whether an item is sold: `yes` or `no`. */
export const saleField = (item: string): string => `sale-${item}`;

/** One line of a change in words; null where there was or will be no value. */
export type ChangeRow = { label: string; before: string | null; after: string | null };
