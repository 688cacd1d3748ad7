import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { numberFormat } from '~/base/intl.ts';
import { intlLocaleOf } from '~/base/languages.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { DeskSection } from '../frame/desk-section.tsx';
import { FiguresTable } from '../frame/figures-table.tsx';
import { formatCount } from '../frame/formats.ts';
import { decidedAtPace, horizons, hourlyPace, PACE_DAYS } from './forecast.ts';
import { speedKey } from './sold-speed.ts';
import { speedName } from './speed-name.ts';
import type { WorkView } from './work.server.ts';

/** What falls due in the next working hours, and whether the pace of the last days is enough for it. */
export function ForecastSection({ view: { waiting, ends, pace, paused } }: { view: WorkView }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const count = (figure: number) => formatCount(figure, language);
  const decimal = (figure: number) =>
    numberFormat(intlLocaleOf(language), { maximumFractionDigits: 1 }).format(figure);
  const all = waiting.reduce(
    (sum, row) => ({
      late: sum.late + row.late,
      first: sum.first + row.first,
      second: sum.second + row.second,
      waiting: sum.waiting + row.waiting,
    }),
    { late: 0, first: 0, second: 0, waiting: 0 },
  );
  const cells = (row: typeof all) => [
    count(row.late),
    count(row.first),
    count(row.second),
    count(row.waiting),
  ];
  const hourly = hourlyPace(pace);
  // The late ones are due as well.
  const due = [all.late + all.first, all.late + all.second] as const;
  return (
    <DeskSection id="forecast" title={t('work:forecast.title')}>
      {waiting.length === 0 ? (
        <p className="text-ink-2">{t('work:forecast.empty')}</p>
      ) : (
        <>
          <FiguresTable
            caption={t('work:forecast.title')}
            head={[
              t('work:speed'),
              t('work:forecast.late'),
              t('work:forecast.within', { hours: count(horizons[0]) }),
              t('work:forecast.within', { hours: count(horizons[1]) }),
              t('work:forecast.waiting'),
            ]}
            rows={[
              ...waiting.map((row) => ({
                key: speedKey(row),
                name: speedName(t, row),
                cells: cells(row),
              })),
              { key: 'all', name: t('work:all'), cells: cells(all), isTotal: true },
            ]}
          />
          {hourly === null ? (
            <p className="text-ink-2">{t('work:forecast.noPace', { days: count(PACE_DAYS) })}</p>
          ) : (
            <>
              <p>
                {t('work:forecast.pace', {
                  days: count(PACE_DAYS),
                  decided: count(pace.decided),
                  hours: decimal(pace.workedHours),
                  hourly: decimal(hourly),
                })}
              </p>
              {horizons.map((hours, index) => {
                const able = decidedAtPace(pace, hours) ?? 0;
                const needed = due[index] ?? 0;
                const values = {
                  days: count(PACE_DAYS),
                  hours: count(hours),
                  moment: formatMoment(ends[index] ?? ends[0], language, UTC, 'dated'),
                  due: count(needed),
                  able: count(able),
                };
                return (
                  <Notice key={hours} tone={needed > able ? 'amber' : 'green'}>
                    {t(needed > able ? 'work:forecast.short' : 'work:forecast.enough', values)}
                  </Notice>
                );
              })}
            </>
          )}
        </>
      )}
      <p className="max-w-[720px] text-fine text-pretty text-ink-2">
        {t('work:forecast.note')} {paused > 0 ? t('work:forecast.paused', { count: paused }) : null}
      </p>
    </DeskSection>
  );
}
