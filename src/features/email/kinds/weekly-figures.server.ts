import { z } from 'zod';
import {
  addDays,
  formatDate,
  parseDate,
  toPlainDate,
  TURKIYE,
  type PlainDate,
} from '~/base/dates/dates.ts';
import { startOfDay } from '~/base/dates/wall-clock.ts';
import { numberFormat } from '~/base/intl.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { countPromises } from '~/features/application/promise-record.server.ts';
import { countDecisions, countWaiting } from '~/features/application/store.server.ts';
import { sumLedger } from '~/features/order/ledger.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Span } from '~/platform/postgres/span.server.ts';
import { replacePrivacyText } from '../layout/content.server.ts';
import { countFailedEmails } from '../ledger/store.server.ts';
import type { EmailWords, JobKind } from './kind.server.ts';
import {
  findListener,
  listener,
  listListeners,
  queueForListener,
} from './operator-alert.server.ts';

/** Days in Türkiye, as the desk's figures have them. */
const weekFrom = (monday: PlainDate): Span => ({
  from: startOfDay(monday, TURKIYE),
  to: startOfDay(addDays(monday, 7), TURKIYE),
});

async function readWeek({ db, now }: Platform, week: Span) {
  const money = await sumLedger(db, week);
  const decided = await countDecisions(db, week);
  const promises = await countPromises(db, week, now());
  return { money, decided, promises, emails: await countFailedEmails(db, week) };
}
type Week = Awaited<ReturnType<typeof readWeek>>;

/** Ten numbers, each on a line; those of a span beside the week before. */
function lines(
  { t, language }: EmailWords,
  [week, before]: readonly [Week, Week],
  now: { waiting: number; overdue: number },
): string[] {
  const whole = (count: number) => numberFormat(language).format(count);
  const dollars = (minor: number) => formatMoney(usd(minor), language);
  const both = (name: WeekFigure, value: (of: Week) => string) =>
    t('weekly_figures.line', {
      label: t(`weekly_figures.figure.${name}`),
      value: value(week),
      before: value(before),
    });
  const present = (name: NowFigure, count: number) =>
    t('weekly_figures.now', { label: t(`weekly_figures.figure.${name}`), value: whole(count) });
  return [
    both('captures', ({ money }) => whole(money.captures)),
    both('captured', ({ money }) => dollars(money.captured)),
    both('refunds', ({ money }) => whole(money.refunds)),
    both('refunded', ({ money }) => dollars(money.refunded)),
    both('approved', ({ decided }) => whole(decided.approved)),
    both('rejected', ({ decided }) => whole(decided.rejected)),
    both('kept', ({ promises: { kept, due } }) =>
      t('weekly_figures.kept', { kept: whole(kept), due: whole(due) }),
    ),
    both('emails', ({ emails }) => whole(emails)),
    present('waiting', now.waiting),
    present('late', now.overdue),
  ];
}
type WeekFigure =
  | 'captures'
  | 'captured'
  | 'refunds'
  | 'refunded'
  | 'approved'
  | 'rejected'
  | 'kept'
  | 'emails';
type NowFigure = 'waiting' | 'late';

const payload = listener.extend({ about: z.string(), monday: z.iso.date() });

export const weeklyFigures: JobKind = {
  recurring: {
    cron: '11 6 * * 1',
    name: 'operator.tell_week',
    run: async (platform) => {
      const monday = addDays(toPlainDate(platform.now(), TURKIYE), -7);
      for (const { accountId } of await listListeners(platform)) {
        await queueForListener(platform, 'weekly_figures', { accountId, about: monday, monday });
      }
    },
  },
  jobs: {
    'operator.weekly_figures': async (platform, given) => {
      const { about, monday: typed, ...to } = payload.parse(given);
      const monday = parseDate(typed);
      const found = monday && (await findListener(platform, to));
      if (!found) return null;
      return {
        ...found,
        about,
        write: async (words) => {
          const { t, footer, language, page } = words;
          const values = { date: formatDate(monday, language) };
          const weeks = [
            await readWeek(platform, weekFrom(monday)),
            await readWeek(platform, weekFrom(addDays(monday, -7))),
          ] as const;
          const now = await countWaiting(platform.db, platform.now());
          const text = t('weekly_figures.text');
          return {
            language,
            subject: t('weekly_figures.subject', values),
            preview: text,
            heading: t('weekly_figures.subject', values),
            greeting: t('greetingNobody'),
            paragraphs: [text],
            numbers: null,
            button: {
              label: t('weekly_figures.button'),
              href: page(`/admin/figures?from=${monday}&to=${addDays(monday, 6)}`),
            },
            note: null,
            sections: [
              { kind: 'list', title: t('weekly_figures.list'), items: lines(words, weeks, now) },
            ],
            closing: [t('team')],
            footer: replacePrivacyText(footer, t('operator_alert.privacy')),
          };
        },
      };
    },
  },
};
