import type { DeskFile } from '../frame/desk-file.server.ts';
import { ledgerFile } from './ledger.server.ts';
import { reconciliationFile } from './reconciliation.server.ts';
import { auditFile } from '../people/audit.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/files.ts';
import { applicationsFile, chartFile } from './statistics.server.ts';

/** The files of the desk by their addresses, as React Router names them. */
const files: Readonly<Record<string, DeskFile>> = {
  'admin/statistics/csv': chartFile,
  'admin/statistics/applications/csv': applicationsFile,
  'admin/money/ledger/csv': ledgerFile,
  'admin/audit/csv': auditFile,
  'admin/reconciliation/:day/csv': reconciliationFile,
};

/** A file for those who may have it; who took it is recorded. */
export async function loader({ request, context, params, pattern }: Route.LoaderArgs) {
  const file = files[pattern];
  if (!file) throw new Error(`No file at ${pattern}`);
  const query = new URL(request.url).searchParams;
  const staff = await requireStaff({ request, context }, file.right(query));
  const platform = context.get(platformContext);
  const opened = await file.open({ platform, query, params });
  if (!opened) return new Response(null, { status: 404 });
  const { file: response, ...entry } = opened;
  await audit(platform.db, { at: platform.now(), staffId: staff.id, ...entry });
  return response;
}
