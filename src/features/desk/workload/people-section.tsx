import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { DeskSection } from '../frame/desk-section.tsx';
import { FiguresTable } from '../frame/figures-table.tsx';
import { formatCount, formatHours } from '../frame/formats.ts';
import type { WorkingPerson, WorkView } from './work.server.ts';

/** What each of the staff decided, how long it took, and what they have now, by name. */
export function PeopleSection({ view: { people, everybody, unheld } }: { view: WorkView }) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  const hours = (milliseconds: number | null) =>
    milliseconds === null
      ? '–'
      : t('statistics:hours', { hours: formatHours(milliseconds, language) });
  const cells = (row: WorkingPerson) => [
    formatCount(row.decided, language),
    formatCount(row.corrections, language),
    hours(row.waitedMs),
    hours(row.medianMs),
    hours(row.ninetiethMs),
    <>
      {formatCount(row.waiting, language)}
      {row.late > 0 ? (
        <span className="block text-tiny font-normal text-ink-2">
          {t('people.late', { count: row.late })}
        </span>
      ) : null}
    </>,
  ];
  return (
    <DeskSection id="people" title={t('people.title')}>
      {people.length === 0 ? (
        <p className="text-ink-2">{t('people.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('people.title')}
          head={[
            t('people.name'),
            t('people.decided'),
            t('people.corrections'),
            t('people.waited'),
            t('people.median'),
            t('people.ninetieth'),
            t('people.waiting'),
          ]}
          rows={[
            ...people.map((row) => ({ key: row.staffId ?? '', name: row.name, cells: cells(row) })),
            { key: 'all', name: t('all'), cells: cells(everybody), isTotal: true },
          ]}
        />
      )}
      <p className="max-w-[720px] text-fine text-pretty text-ink-2">
        {t('people.note')} {unheld > 0 ? t('people.unheld', { count: unheld }) : null}
      </p>
    </DeskSection>
  );
}
