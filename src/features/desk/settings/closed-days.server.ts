import { dateFromParts, dateOf, formatDate, parseDate, UTC } from '~/base/dates/dates.ts';
import type { Feast } from '~/base/dates/holidays.ts';
import type { Closure } from '~/base/dates/closures.ts';
import type { Language } from '~/base/languages.ts';
import { valuesAt, type Change, type Settings } from '~/features/settings/change.ts';
import {
  areApart,
  CLOSURE_YEARS_AHEAD,
  closureProblem,
  MOST_CLOSED_DAYS,
} from '~/features/settings/closure-rules.ts';
import { closuresOf, closureValue } from '~/features/settings/closures.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { countPromisedWithin } from './closed-days-store.server.ts';
import type { Read, SectionForm } from './handle-decision-submit.server.ts';
import type { SettingsProblem, TypedSettings } from './typed-settings.ts';

const ID = /^[0-9a-f-]{36}$/;

/** Adds a closure, or removes one whose last day has not passed. */
export function closedDaysForm(
  { db }: Pick<Platform, 'db'>,
  page: string,
  language: Language,
): SectionForm {
  const t = textsIn(language, 'settings');
  return {
    section: 'closed_days',
    right: 'close_days',
    page,
    isAtOnce: true,
    read: (typed, settings, at) =>
      typed.remove === undefined
        ? readClosure(typed, settings, at)
        : readRemoval(typed.remove, settings, at),
    rows: (values, settings, at) =>
      Object.entries(values).map(([id, value]) => {
        const after = closureValue.parse(value);
        const before = standingAt(settings, at).find((one) => one.id === id);
        return {
          label: t('closed_days.what'),
          before: before ? daysInWords(before, language) : null,
          after: after && daysInWords(after, language),
        };
      }),
    async notes(values) {
      const [added] = closuresOf(values);
      return [
        added
          ? promisedInWords(await countPromisedWithin(db, added), language)
          : t('closed_days.removeText'),
      ];
    },
    fits: (values) => areApart(closuresOf(values)),
  };
}

/** All closures, past ones included, soonest first. */
export const standingAt = (settings: Settings, at: Date) =>
  closuresOf(valuesAt(settings, 'closed_days', at));

/** Without a last day a closure is one day long. */
function readClosure(typed: TypedSettings, settings: Settings, at: Date): Read {
  const id = typed.id ?? '';
  if (!ID.test(id)) return { values: {}, problems: [] };
  const text = (name: string) => (typed[name] ?? '').trim();
  const dayAt = (name: string) =>
    dateFromParts({
      day: text(`${name}-day`),
      month: text(`${name}-month`),
      year: text(`${name}-year`),
    });
  const isOneDay = ['day', 'month', 'year'].every((part) => text(`last-${part}`) === '');
  const from = dayAt('first');
  const to = isOneDay ? from : dayAt('last');
  const problems: SettingsProblem[] = [];
  if (!from) problems.push({ field: 'first', code: 'day_unreal' });
  if (!to && !isOneDay) problems.push({ field: 'last', code: 'day_unreal' });
  if (!from || !to) return { values: {}, problems };
  const code = closureProblem({ from, to }, standingAt(settings, at), dateOf(at, UTC));
  if (!code) return { values: { [id]: { from, to } }, problems };
  const isFirst = isOneDay || code === 'closure_past' || code === 'closure_overlaps';
  const values = { limit: MOST_CLOSED_DAYS, years: CLOSURE_YEARS_AHEAD };
  return { values: {}, problems: [{ field: isFirst ? 'first' : 'last', code, values }] };
}

function readRemoval(id: string, settings: Settings, at: Date): Read {
  const known = standingAt(settings, at).find((one) => one.id === id);
  if (!known) return { values: {}, problems: [] };
  // Past days stay: they were not working hours.
  return known.to < dateOf(at, UTC)
    ? { values: {}, problems: [{ field: 'reason', code: 'closure_over' }] }
    : { values: { [id]: null }, problems: [] };
}

/** "24 December 2026 to 31 December 2026", or the one day. */
export function daysInWords({ from, to }: Closure, language: Language): string {
  const write = (text: string) => {
    const date = parseDate(text);
    return date ? formatDate(date, language) : text;
  };
  if (from === to) return write(from);
  const t = textsIn(language, 'settings');
  return t('closed_days.range', { first: write(from), last: write(to) });
}

/** "Ramazan Bayramı (Eid al-Fitr) begins on 9 March 2027". */
export function feastInWords(
  { feast, first }: { feast: Feast; first: string },
  language: Language,
): string {
  const day = parseDate(first);
  return textsIn(language, 'settings')('closed_days.feast', {
    feast: textsIn(language, 'application')(`closedDays.${feast}`),
    date: day ? formatDate(day, language) : first,
  });
}

/** How many open applications are promised for days that will be closed. */
export function promisedInWords(count: number, language: Language): string {
  const t = textsIn(language, 'settings');
  return count === 0 ? t('closed_days.promisedNone') : t('closed_days.promised', { count });
}

export const closedDaysLines =
  (language: Language) =>
  (change: Change, settings: Settings): string[] => {
    const t = textsIn(language, 'settings');
    const earlier = settings.changes.filter(({ id }) => id < change.id);
    return Object.entries(change.values).map(([id, value]) => {
      const added = closureValue.parse(value);
      if (added) return daysInWords(added, language);
      const before = earlier.findLast(({ values }) => id in values)?.values[id] ?? null;
      const removed = closureValue.parse(before);
      return t('closed_days.removed', { days: removed ? daysInWords(removed, language) : id });
    });
  };
