import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Link } from '~/ui/page/link.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { DeskSection } from '../frame/panel.tsx';
import { EntriesTable, FiguresTable } from '../frame/lists.tsx';
import { formatCount, formatHours, formatShare } from '../frame/formats.ts';
import { speedKey, type SoldSpeed, speedName } from './sold-speed.ts';
import { periodDays, type DayPeriod } from '../frame/days.tsx';
import type { WorkView } from './work.server.ts';

const sum = <T,>(rows: readonly T[], figure: (row: T) => number) =>
  rows.reduce((all, row) => all + figure(row), 0);

/** How many promises of the period were kept, by speed, with links to those that were not. */
export function PromiseSection({
  period,
  view: { promises },
}: {
  period: DayPeriod;
  view: WorkView;
}) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const count = (figure: number) => formatCount(figure, language);
  const cells = (
    one: Pick<(typeof promises)[number], 'due' | 'kept' | 'late' | 'overdue'>,
    key: string,
  ) => [
    count(one.due),
    count(one.kept),
    one.late + one.overdue === 0 ? (
      count(0)
    ) : (
      <Link
        className="inline-flex min-h-8 items-center max-wide:min-h-11"
        key="late"
        to={`/admin/work${periodDays(period, key === '' ? {} : { late: key })}#late`}
      >
        {/* Read before the words: in some languages those name one and two without a figure. */}
        {count(one.late + one.overdue)}{' '}
        <span className="sr-only">
          {t('work:promises.showLate', { count: one.late + one.overdue })}
        </span>
      </Link>
    ),
    count(one.overdue),
    formatShare(one.kept, one.due, language) ?? '–',
  ];
  const all = {
    due: sum(promises, ({ due }) => due),
    kept: sum(promises, ({ kept }) => kept),
    late: sum(promises, ({ late }) => late),
    overdue: sum(promises, ({ overdue }) => overdue),
  };
  return (
    <DeskSection id="promises" title={t('work:promises.title')}>
      {promises.length === 0 ? (
        <p className="text-ink-2">{t('work:promises.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('work:promises.title')}
          head={[
            t('work:speed'),
            t('work:promises.due'),
            t('work:promises.kept'),
            t('work:promises.late'),
            t('work:promises.overdue'),
            t('work:promises.share'),
          ]}
          rows={[
            ...promises.map((one) => ({
              key: speedKey(one),
              name: speedName(t, one),
              cells: cells(one, speedKey(one)),
            })),
            { key: 'all', name: t('work:all'), cells: cells(all, ''), isTotal: true },
          ]}
        />
      )}
      <p className="max-w-[720px] text-fine text-pretty text-ink-2">{t('work:promises.note')}</p>
    </DeskSection>
  );
}

/** The late ones of the period, newest promise first. */
export function LateSection({
  period,
  speed,
  view: { late, mostLate, asOf },
}: {
  period: DayPeriod;
  speed: SoldSpeed | null;
  view: WorkView;
}) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const title =
    speed === null ? t('work:late.title') : t('work:late.titleOf', { speed: speedName(t, speed) });
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  return (
    <DeskSection id="late" title={title}>
      {speed === null ? null : (
        <p>
          <Link
            className="inline-flex min-h-11 items-center"
            to={`/admin/work${periodDays(period)}#late`}
          >
            {t('work:late.all')}
          </Link>
        </p>
      )}
      {late.length === 0 ? (
        <p className="text-ink-2">{t('work:late.none')}</p>
      ) : (
        <EntriesTable
          caption={title}
          columns={[
            {
              head: t('work:late.number'),
              className: 'whitespace-nowrap max-wide:col-span-full',
              render: ({ number, kind }) => (
                <Link
                  className="inline-flex min-h-8 items-center max-wide:min-h-11"
                  to={`/admin/applications/${number}${kind === 'insurance' ? '?tab=insurance' : ''}`}
                >
                  <NumberCode value={number} />
                </Link>
              ),
            },
            { head: t('work:speed'), isLabelled: true, render: (row) => speedName(t, row) },
            {
              head: t('work:late.readyBy'),
              className: 'figures',
              isLabelled: true,
              render: ({ promisedAt }) => moment(promisedAt),
            },
            {
              head: t('work:late.decided'),
              className: 'figures',
              isLabelled: true,
              render: ({ decidedAt }) =>
                decidedAt ? (
                  moment(decidedAt)
                ) : (
                  <StatusTag tone="red">{t('work:late.undecided')}</StatusTag>
                ),
            },
            {
              head: t('work:late.by'),
              className: 'max-wide:text-start',
              isFigure: true,
              isLabelled: true,
              render: ({ decidedAt, promisedAt }) =>
                t('statistics:hours', {
                  hours: formatHours(
                    (decidedAt ?? asOf).getTime() - promisedAt.getTime(),
                    language,
                  ),
                }),
            },
          ]}
          entries={late}
          rowOf={({ number }) => ({ key: number, className: 'max-wide:grid-cols-2' })}
        />
      )}
      {mostLate === null ? null : (
        <p className="text-ink-2">
          {t('work:late.more', { most: formatCount(mostLate, language) })}
        </p>
      )}
    </DeskSection>
  );
}
