import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Link } from '~/ui/page/link.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { DeskSection, EntryLabel } from '../frame/desk-section.tsx';
import { FiguresTable } from '../frame/figures-table.tsx';
import { formatCount, formatHours, formatShare } from '../frame/formats.ts';
import { speedKey, type SoldSpeed } from './sold-speed.ts';
import { speedName } from './speed-name.ts';
import { periodDays, type DayPeriod } from '../frame/day-period.ts';
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
        <table className="desk-table row-entries">
          <caption className="sr-only">{title}</caption>
          <thead className="max-wide:sr-only">
            <tr>
              <th scope="col">{t('work:late.number')}</th>
              <th scope="col">{t('work:speed')}</th>
              <th scope="col">{t('work:late.readyBy')}</th>
              <th scope="col">{t('work:late.decided')}</th>
              <th className="text-end" scope="col">
                {t('work:late.by')}
              </th>
            </tr>
          </thead>
          <tbody>
            {late.map((row) => (
              <tr className="max-wide:grid-cols-2" key={row.number}>
                <td className="whitespace-nowrap max-wide:col-span-full">
                  <Link
                    className="inline-flex min-h-8 items-center max-wide:min-h-11"
                    to={`/admin/applications/${row.number}${row.kind === 'insurance' ? '?tab=insurance' : ''}`}
                  >
                    <NumberCode value={row.number} />
                  </Link>
                </td>
                <td>
                  <EntryLabel>{t('work:speed')}</EntryLabel>
                  {speedName(t, row)}
                </td>
                <td className="figures">
                  <EntryLabel>{t('work:late.readyBy')}</EntryLabel>
                  {moment(row.promisedAt)}
                </td>
                <td className="figures">
                  <EntryLabel>{t('work:late.decided')}</EntryLabel>
                  {row.decidedAt ? (
                    moment(row.decidedAt)
                  ) : (
                    <StatusTag tone="red">{t('work:late.undecided')}</StatusTag>
                  )}
                </td>
                <td className="figures text-end max-wide:text-start">
                  <EntryLabel>{t('work:late.by')}</EntryLabel>
                  {t('statistics:hours', {
                    hours: formatHours(
                      (row.decidedAt ?? asOf).getTime() - row.promisedAt.getTime(),
                      language,
                    ),
                  })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mostLate === null ? null : (
        <p className="text-ink-2">
          {t('work:late.more', { most: formatCount(mostLate, language) })}
        </p>
      )}
    </DeskSection>
  );
}
