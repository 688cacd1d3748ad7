import { randomUUID } from 'node:crypto';
import { and, count, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Closure } from '~/base/dates/office.ts';
import {
  typedDate,
  toPlainDate,
  formatDate,
  parseDate,
  UTC,
  type PlainDate,
} from '~/base/dates/dates.ts';
import { FEAST_NOTICE_DAYS, feastsWithin } from '~/base/dates/holidays.ts';
import { isWaitingSql } from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { valuesInForce, type Settings } from '~/features/settings/change.ts';
import {
  areClosuresApart,
  CLOSURE_YEARS_AHEAD,
  closureProblem,
  readClosures,
  closureValue,
  MAX_CLOSURE_DAYS,
} from '~/features/settings/office.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import {
  readSettingText,
  type OpeningSection,
  type OpenSection,
  type SectionPart,
  type ReadSection,
  type SectionForm,
  type SettingsProblem,
  type TypedSettings,
} from './section.server.ts';
import { SETTINGS } from './sections.ts';

const ID = /^[0-9a-f-]{36}$/;
const PAGE = `${SETTINGS}/closed-days`;

/**
 * Closures from today on, with the applications promised on them; `?remove=` asks to remove one, otherwise the form
 * adds one.
 */
export function openClosedDays({ platform: { db }, language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  const day = (text: string) => {
    const date = parseDate(text);
    return date ? formatDate(date, language) : text;
  };
  /** "24 December 2026 to 31 December 2026", or the one day. */
  const days = ({ from, to }: Closure): string =>
    from === to ? day(from) : t('closed_days.range', { first: day(from), last: day(to) });
  /** How many open applications are promised for days that will be closed. */
  const promised = async (closure: Closure): Promise<string> => {
    const found = await countPromisedWithin(db, closure);
    return found === 0
      ? t('closed_days.promisedNone')
      : t('closed_days.promised', { count: found });
  };
  const feasts = (today: PlainDate): SectionPart[] =>
    feastsWithin(today, FEAST_NOTICE_DAYS).map(({ feast, first }) => ({
      notice: {
        tone: 'amber',
        title: t('closed_days.feast', {
          feast: makeTranslate(language, 'application')(`closedDays.${feast}`),
          date: day(first),
        }),
        text: t('closed_days.checkFeast'),
      },
    }));
  const removing = (closure: Closure & { id: string }): SectionForm => ({
    title: t('closed_days.remove', { days: days(closure) }),
    texts: [t('closed_days.removeText')],
    link: { to: PAGE, label: t('closed_days.back') },
    about: closure.id,
    hidden: { remove: closure.id },
    groups: [],
  });
  const adding = (today: PlainDate): SectionForm => ({
    title: t('closed_days.add'),
    hidden: { id: randomUUID() },
    groups: [
      {
        rows: (['first', 'last'] as const).map((name) => [
          {
            kind: 'date',
            name,
            label: t(`closed_days.${name}`),
            hint: t(`closed_days.${name}Hint`),
            value: '',
            min: today,
          },
        ]),
      },
    ],
  });
  return {
    title: t('closed_days.title'),
    lead: t('closed_days.lead'),
    async view(settings, now, search) {
      const today = toPlainDate(now, UTC);
      const closures = standingAt(settings, now).filter(({ to }) => to >= today);
      const removed = closures.find(({ id }) => id === search.get('remove'));
      return {
        above: [
          { texts: [t('closed_days.kept')] },
          ...feasts(today),
          {
            heading: t('closed_days.ahead'),
            texts: closures.length === 0 ? [t('closed_days.none')] : [],
            items: await Promise.all(
              closures.map(async (one) => ({
                title: days(one),
                lines: [
                  ...(one.from <= today ? [t('closed_days.running')] : []),
                  await promised(one),
                ],
                link: {
                  to: `${PAGE}?remove=${one.id}#form`,
                  label: t('closed_days.remove', { days: days(one) }),
                },
              })),
            ),
          },
        ],
        form: removed ? removing(removed) : adding(today),
      };
    },
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
          before: before ? days(before) : null,
          after: after && days(after),
        };
      }),
    async notes(values) {
      const [added] = readClosures(values);
      return [added ? await promised(added) : t('closed_days.removeText')];
    },
    lines(change, settings) {
      const earlier = settings.changes.filter(({ id }) => id < change.id);
      return Object.entries(change.values).map(([id, value]) => {
        const added = closureValue.parse(value);
        if (added) return days(added);
        const before = earlier.findLast(({ values }) => id in values)?.values[id] ?? null;
        const removed = closureValue.parse(before);
        return t('closed_days.removed', { days: removed ? days(removed) : id });
      });
    },
    fits: (values) => areClosuresApart(readClosures(values)),
  };
}

/** All closures, past ones included, soonest first. */
const standingAt = (settings: Settings, at: Date) =>
  readClosures(valuesInForce(settings, 'closed_days', at));

/** Without a last day a closure is one day long. */
function readClosure(typed: TypedSettings, settings: Settings, at: Date): ReadSection {
  const id = readSettingText(typed, 'id');
  if (!ID.test(id)) return { values: {}, problems: [] };
  const isOneDay = ['day', 'month', 'year'].every(
    (part) => readSettingText(typed, `last-${part}`) === '',
  );
  const from = typedDate(typed, 'first');
  const to = isOneDay ? from : typedDate(typed, 'last');
  const problems: SettingsProblem[] = [];
  if (!from) problems.push({ field: 'first', code: 'day_unreal' });
  if (!to && !isOneDay) problems.push({ field: 'last', code: 'day_unreal' });
  if (!from || !to) return { values: {}, problems };
  const code = closureProblem({ from, to }, standingAt(settings, at), toPlainDate(at, UTC));
  if (!code) return { values: { [id]: { from, to } }, problems };
  const isFirst = isOneDay || code === 'closure_past' || code === 'closure_overlaps';
  const values = { limit: MAX_CLOSURE_DAYS, years: CLOSURE_YEARS_AHEAD };
  return { values: {}, problems: [{ field: isFirst ? 'first' : 'last', code, values }] };
}

function readRemoval(id: string, settings: Settings, at: Date): ReadSection {
  const known = standingAt(settings, at).find((one) => one.id === id);
  if (!known) return { values: {}, problems: [] };
  // Past days stay: they were not working hours.
  return known.to < toPlainDate(at, UTC)
    ? { values: {}, problems: [{ field: 'reason', code: 'closure_over' }] }
    : { values: { [id]: null }, problems: [] };
}

/** The number of paid, undecided applications promised for a moment on these days (UTC). */
async function countPromisedWithin(db: Queryable, { from, to }: Closure): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(application)
    .where(
      and(
        // The queue's index begins with the kind. A paused application has no promised moment.
        inArray(application.kind, ['visa', 'insurance']),
        isWaitingSql(application),
        gte(application.promisedAt, sql`${from}::date at time zone 'UTC'`),
        lt(application.promisedAt, sql`(${to}::date + 1) at time zone 'UTC'`),
      ),
    );
  return row?.count ?? 0;
}
