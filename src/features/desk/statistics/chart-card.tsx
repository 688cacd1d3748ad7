import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Icon } from '~/ui/icon.tsx';
import type { ChartName } from './charts.ts';
import { periodQuery, type Period } from './period.ts';
import { TOP_NATIONALITIES } from './top-nationalities.ts';

export type NumbersTable = {
  /** The first column names the row. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
};

/** A chart with everything that belongs to it: what it shows in a sentence, what it counts, its numbers, its file. */
export function ChartCard({
  name,
  period,
  summary,
  table,
  children,
}: {
  name: ChartName;
  period: Period;
  /** Null where there is nothing to show. */
  summary: string | null;
  table: NumbersTable;
  children: ReactNode;
}) {
  const { t } = useTranslation('statistics');
  const title = t(`${name}.title`, { most: TOP_NATIONALITIES });
  return (
    <section aria-labelledby={name} className="chart-card" data-testid={`chart-${name}`}>
      <h2 id={name}>{title}</h2>
      {summary === null ? (
        <p className="chart-empty">{t(`${name}.empty`)}</p>
      ) : (
        <>
          <p className="chart-summary">{summary}</p>
          {children}
        </>
      )}
      <p className="chart-note">{t(`${name}.note`)}</p>
      {summary === null ? null : (
        <div className="chart-foot">
          <details className="chart-numbers">
            <summary>{t('numbers')}</summary>
            {/* What scrolls must be reached without a mouse. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <div aria-label={title} className="chart-scroll" role="region" tabIndex={0}>
              <table className="desk-table figures">
                <caption className="visually-hidden">{title}</caption>
                <thead>
                  <tr>
                    {table.head.map((head) => (
                      <th key={head} scope="col">
                        {head}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {table.rows.map(([row, ...cells]) => (
                    <tr key={row}>
                      <th scope="row">{row}</th>
                      {cells.map((cell, index) => (
                        <td key={index}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
          <a
            aria-label={t('fileOf', { title })}
            className="chart-file"
            href={`/admin/statistics/csv${periodQuery(period.range, period.step, { chart: name })}`}
          >
            <Icon name="download" size={14} />
            {t('file')}
          </a>
        </div>
      )}
    </section>
  );
}
