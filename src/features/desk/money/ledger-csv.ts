import { dateOf, TURKIYE } from '~/base/dates/dates.ts';
import { readDayPeriod, spanOfDays } from '../frame/day-period.ts';
import { ledgerHead, ledgerLines } from './ledger-file.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { csvDownload } from '~/platform/http/csv.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/ledger-csv.ts';

/** The ledger of a period for bookkeeping, one line for each entry, as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'export_ledger');
  const platform = context.get(platformContext);
  const now = platform.now();
  const period = readDayPeriod(new URL(request.url).searchParams, dateOf(now, TURKIYE));
  await audit(platform.db, {
    at: now,
    staffId: staff.id,
    action: 'ledger_exported',
    subject: { kind: 'payments', id: 'ledger' },
    detail: { from: period.first, to: period.last },
  });
  const lines = ledgerLines(platform.readLagging, spanOfDays(period, TURKIYE));
  return csvDownload(`ledger-${period.first}-to-${period.last}`, ledgerHead, lines);
}
