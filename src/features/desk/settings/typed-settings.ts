import { dateFromParts } from '~/base/dates/dates.ts';
import type { CodeIn } from '~/base/text-keys.ts';

/** What a form holds, by control. */
export type TypedSettings = Readonly<Record<string, string>>;

export type SettingsError = CodeIn<'settings', 'error'>;

/** What is wrong with a control; words are `settings:error.<code>`. */
export type SettingsProblem = {
  field: string;
  code: SettingsError;
  values?: Record<string, string>;
};

export const LONGEST_REASON = 500;
/** Further ahead nobody plans; a typing mistake in the year does. */
const YEARS_AHEAD = 5;

/** When a decision counts (null: from now on) and why it is made, with what is wrong with either. */
export function readWhen(
  typed: TypedSettings,
  now: Date,
): { validFrom: Date | null; reason: string; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const reason = (typed.reason ?? '').trim();
  if (reason === '') problems.push({ field: 'reason', code: 'reason_required' });
  if (reason.length > LONGEST_REASON) problems.push({ field: 'reason', code: 'reason_too_long' });
  if (typed.from !== 'later') return { validFrom: null, reason, problems };
  const validFrom = readMoment(typed);
  if (validFrom === null) problems.unshift({ field: 'date', code: 'moment_unreal' });
  else if (validFrom <= now) problems.unshift({ field: 'date', code: 'moment_past' });
  else if (validFrom.getUTCFullYear() > now.getUTCFullYear() + YEARS_AHEAD) {
    problems.unshift({ field: 'date', code: 'moment_far' });
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

/** The control that says whether something is sold: `yes` or `no`. */
export const saleField = (item: string): string => `sale-${item}`;
