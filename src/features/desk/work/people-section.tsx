import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { DeskSection } from '../frame/desk-section.tsx';
import { FiguresTable } from '../frame/figures-table.tsx';
import { formatCount, formatHours } from '../statistics/formats.ts';
import type { PersonRow } from './store.server.ts';
import type { WorkView } from './work.server.ts';

/** What each of the staff decided and how long it took, by name. */
export function PeopleSection({ view: { people, everybody } }: { view: WorkView }) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  const hours = (milliseconds: number | null) =>
    milliseconds === null
      ? '–'
      : t('statistics:hours', { hours: formatHours(milliseconds, language) });
  const cells = (row: PersonRow) => [
    formatCount(row.decided, language),
    formatCount(row.corrections, language),
    hours(row.waitedMs),
    hours(row.medianMs),
    hours(row.ninetiethMs),
  ];
  return (
    <DeskSection id="people" title={t('people.title')}>
      {people.length === 0 || !everybody ? (
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
          ]}
          rows={[
            ...people.map((row) => ({ key: row.staffId ?? '', name: row.name, cells: cells(row) })),
            { key: 'all', name: t('all'), cells: cells(everybody), isTotal: true },
          ]}
        />
      )}
      <p className="max-w-[720px] text-fine text-pretty text-ink-2">{t('people.note')}</p>
    </DeskSection>
  );
}
