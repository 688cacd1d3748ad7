import { readAuditFilter } from './audit-filter.ts';
import { auditHead, auditLines, auditQueryOf } from './audit-trail.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { csvDownload } from '~/platform/http/csv.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/audit-csv.ts';

/** The entries that match the filter, as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_audit');
  const platform = context.get(platformContext);
  const filter = readAuditFilter(new URL(request.url).searchParams);
  const query = await auditQueryOf(platform.db, filter);
  if (!query) return new Response(null, { status: 404 });
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'audit_exported',
    subject: { kind: 'audit', id: 'file' },
    detail: { staff: filter.staff, action: filter.action, day: filter.day },
  });
  return csvDownload('audit', auditHead, auditLines(platform.db, query));
}
