import { parseDate } from '~/base/dates/dates.ts';
import { reportLines, reportHead } from './reconciliation.server.ts';
import { reportsBetween } from '~/features/payment/reconcile/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { csvDownload } from '~/platform/http/csv.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/reconciliation-csv.ts';

/** Every compared attempt of one day, as a file. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_payments');
  const platform = context.get(platformContext);
  const day = parseDate(params.day);
  const reports = day ? await reportsBetween(platform.db, day, day) : [];
  if (!day || reports.length === 0) return new Response(null, { status: 404 });
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'reconciliation_exported',
    subject: { kind: 'report', id: day },
  });
  const isWhole = reports.every(({ finishedAt }) => finishedAt !== null);
  const name = isWhole ? `reconciliation-${day}` : `reconciliation-${day}-unfinished`;
  return csvDownload(name, reportHead, reportLines(platform.db, day));
}
