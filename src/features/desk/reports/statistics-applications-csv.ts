import { dateOf, UTC } from '~/base/dates/dates.ts';
import { applicationsHead, applicationsLines } from './applications-file.server.ts';
import { readPeriod } from './period.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { csvDownload } from '~/platform/http/csv.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/statistics-applications-csv.ts';

/** Every application submitted in a period, one line each, as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'export_applications');
  const platform = context.get(platformContext);
  const now = platform.now();
  const today = dateOf(now, UTC);
  const period = readPeriod(new URL(request.url).searchParams, today);
  await audit(platform.db, {
    at: now,
    staffId: staff.id,
    action: 'applications_exported',
    subject: { kind: 'statistics', id: 'applications' },
    detail: { range: period.range },
  });
  const name = `all-applications-${period.range}-${today}`;
  return csvDownload(name, applicationsHead, applicationsLines(platform.readLagging, period));
}
