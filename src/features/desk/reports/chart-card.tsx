import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Icon } from '~/ui/icon.tsx';
import { ScrollRegion } from '~/ui/scroll-region.tsx';
import { type ChartName, TOP_NATIONALITIES } from './charts.ts';
import { periodQuery, type Period } from './period.ts';

export type NumbersTable = {
  /** The first column names the row. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
};

/** A chart with a summary, a definition, a table and a file. */
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
    <section
      aria-labelledby={name}
      className="chart-card flex flex-col gap-2.5 rounded-xl border border-line-2 p-5 [&_.chart-key]:text-fine"
      data-testid={`chart-${name}`}
    >
      <h2 id={name}>{title}</h2>
      {summary === null ? (
        <p className="text-pretty text-ink-2">{t(`${name}.empty`)}</p>
      ) : (
        <>
          <p className="chart-summary">{summary}</p>
          {children}
        </>
      )}
      <p className="text-fine text-pretty text-ink-2">{t(`${name}.note`)}</p>
      {summary === null ? null : (
        <div className="mt-auto flex flex-wrap items-start justify-between gap-x-4">
          <details className="desk-more chart-numbers min-w-0 open:flex-[1_1_100%]">
            <summary>{t('numbers')}</summary>
            <ScrollRegion aria-label={title} className="chart-scroll max-h-[420px] overflow-auto">
              <table className="desk-table figures [&_td]:text-end [&_thead_th+th]:text-end">
                <caption className="sr-only">{title}</caption>
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
                    <tr
                      className="*:h-8 *:border-line *:py-1 *:text-fine *:whitespace-nowrap"
                      key={row}
                    >
                      <th scope="row">{row}</th>
                      {cells.map((cell, index) => (
                        <td key={index}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          </details>
          <a
            aria-label={t('fileOf', { title })}
            className="inline-flex min-h-11 items-center gap-1.5 print:hidden"
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
