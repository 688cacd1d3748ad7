import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { DeskSection } from '../frame/desk-section.tsx';
import { FiguresTable } from '../frame/figures-table.tsx';
import { formatCount, formatHours, formatShare } from '../frame/formats.ts';
import { periodDays, type DayPeriod } from '../day-filter/day-period.ts';
import type { WorkView } from './work.server.ts';

/** Rows shown before all are asked for. */
const FIRST_ROWS = 12;

/** Visa applications by nationality: arrived, waiting, rejected. Those with most to do come first. */
export function NationalitySection({
  period,
  isWhole,
  view: { nationalities },
}: {
  period: DayPeriod;
  isWhole: boolean;
  view: WorkView;
}) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  const count = (figure: number) => formatCount(figure, language);
  const shown = isWhole ? nationalities : nationalities.slice(0, FIRST_ROWS);
  return (
    <DeskSection id="nationalities" title={t('nationalities.title')}>
      {shown.length === 0 ? (
        <p className="text-ink-2">{t('nationalities.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('nationalities.title')}
          head={[
            t('nationalities.name'),
            t('nationalities.arrived'),
            t('nationalities.waiting'),
            t('nationalities.waitingFor'),
            t('nationalities.decided'),
            t('nationalities.rejected'),
          ]}
          rows={shown.map((row) => ({
            key: row.code,
            name: row.name,
            cells: [
              count(row.arrived),
              count(row.waiting),
              row.waitingMs === null
                ? '–'
                : t('statistics:hours', { hours: formatHours(row.waitingMs, language) }),
              count(row.decided),
              formatShare(row.rejected, row.decided, language) ?? '–',
            ],
          }))}
        />
      )}
      {shown.length < nationalities.length ? (
        <p>
          <Link
            className="inline-flex min-h-11 items-center"
            preventScrollReset
            to={`/admin/work${periodDays(period, { all: '1' })}#nationalities`}
          >
            {t('nationalities.showAll', { count: nationalities.length })}
          </Link>
        </p>
      ) : null}
      <p className="max-w-[720px] text-fine text-pretty text-ink-2">{t('nationalities.note')}</p>
    </DeskSection>
  );
}
