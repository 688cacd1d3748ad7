import { dateOf, UTC } from '~/base/dates/dates.ts';
import { chartFiles } from './chart-file.server.ts';
import { chartActions, readChart } from './charts.ts';
import { readPeriod } from './period.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { csvDownload } from '~/platform/http/csv.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/statistics-csv.ts';

/** The data of one chart, as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const chart = readChart(query.get('chart'));
  const staff = await requireStaff(
    { request, context },
    chart ? chartActions[chart] : 'view_statistics',
  );
  if (!chart) return new Response(null, { status: 404 });
  const platform = context.get(platformContext);
  const now = platform.now();
  const today = dateOf(now, UTC);
  const period = readPeriod(query, today);
  await audit(platform.db, {
    at: now,
    staffId: staff.id,
    action: 'statistics_exported',
    subject: { kind: 'statistics', id: chart },
    detail: { range: period.range, by: period.step },
  });
  const { head, lines } = chartFiles[chart];
  return csvDownload(`${chart}-${period.range}-${today}`, head, lines(platform, period));
}
