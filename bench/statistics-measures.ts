import { addDays, dateOf, UTC } from '~/base/dates/dates.ts';
import { workView } from '~/features/desk/reports/work.server.ts';
import { readDayPeriod } from '~/features/desk/frame/days.tsx';
import { ledgerAfter, sumByPartner } from '~/features/desk/money/store.server.ts';
import { readStatistics } from '~/features/desk/reports/statistics.server.ts';
import { periodOf, ranges, stepsOf } from '~/features/desk/reports/period.ts';
import { submittedAfter } from '~/features/desk/reports/statistics-store.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { ReadLagging } from '~/platform/postgres/replica.server.ts';
import type { Measure } from './desk-measures.ts';

const LINES_AT_ONCE = 1000;

/**
 * What the page of statistics asks, for every period in its default step, without its cache of a minute; and the file
 * of applications: its first thousand lines, and all of a year. Neither is promised in a tenth of a second.
 */
export function statisticsMeasures(db: Database, now: Date): Measure[] {
  const today = dateOf(now, UTC);
  const year = periodOf('12m', 'month', today);
  const lastYear = { from: new Date(now.getTime() - 366 * 86_400_000), to: now };
  const readLagging: ReadLagging = (read) => read(db);
  const first = () => submittedAfter(db, year, null, LINES_AT_ONCE);
  return [
    ...ranges.map((range): Measure => ({
      name: `statistics, all charts, ${range}`,
      isPromised: false,
      run: async () => {
        const { submitted } = await readStatistics(
          db,
          periodOf(range, stepsOf[range][0], today),
          now,
        );
        return submitted.reduce((sum, { visa, insurance }) => sum + visa + insurance, 0);
      },
    })),
    ...[30, 366].map((days): Measure => ({
      name: `work and promises, ${days} days`,
      isPromised: false,
      run: async () => {
        const from = addDays(today, 1 - days);
        const platform = { db, readLagging, now: () => now };
        const period = readDayPeriod(new URLSearchParams({ from }), today);
        const { promises } = await workView(platform, period, { late: null, language: 'en' });
        return promises.reduce((sum, { due }) => sum + due, 0);
      },
    })),
    {
      name: 'money by partner, 366 days',
      isPromised: false,
      run: async () =>
        (await sumByPartner(db, lastYear)).reduce((sum, row) => sum + row.captures, 0),
    },
    {
      name: 'money, first lines of the ledger’s file',
      isPromised: false,
      run: async () => (await ledgerAfter(db, lastYear, null, LINES_AT_ONCE)).length,
    },
    {
      name: 'statistics, first lines of a file',
      isPromised: false,
      run: async () => (await first()).length,
    },
    {
      name: 'statistics, file of a year',
      isPromised: false,
      run: async () => {
        let lines = 0;
        for (let rows = await first(); rows.length > 0;) {
          lines += rows.length;
          rows = await submittedAfter(db, year, rows.at(-1) ?? null, LINES_AT_ONCE);
        }
        return lines;
      },
    },
  ];
}
