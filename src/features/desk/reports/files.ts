import { toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import type { DeskFile } from '../frame/desk-file.server.ts';
import { auditFile } from '../people/audit.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import type { Role, StaffAction } from '~/features/staff/roles.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Route } from './+types/files.ts';
import { applicationsFile, booksFile, nationalitiesFile, stepsFile } from './figures.server.ts';
import { ledgerFile } from './ledger.server.ts';
import { readPeriod, type Period } from './period.tsx';
import { looksFile } from './second-looks.server.ts';

/** A file of the period that its address names. */
const figuresFile = (
  id: string,
  right: StaffAction,
  write: (asked: {
    platform: Platform;
    period: Period;
    role: Role;
  }) => Response | Promise<Response>,
): DeskFile => ({
  right,
  async open({ platform, query, role }) {
    const period = readPeriod(query, toPlainDate(platform.now(), TURKIYE));
    return {
      action: 'figures_exported',
      subject: { kind: 'statistics', id },
      detail: { from: period.first, to: period.last },
      file: await write({ platform, period, role }),
    };
  },
});

/** The files of the desk by their names in the address. */
const files: Readonly<Record<string, DeskFile>> = {
  audit: auditFile,
  steps: figuresFile('steps', 'view_statistics', stepsFile),
  nationalities: figuresFile('nationalities', 'view_statistics', nationalitiesFile),
  looks: figuresFile('looks', 'second_look', looksFile),
  applications: figuresFile('applications', 'export_applications', applicationsFile),
  ledger: figuresFile('ledger', 'export_ledger', ledgerFile),
  books: figuresFile('books', 'view_payments', booksFile),
};

/** A file for those who may have it; who took it is recorded. */
export async function loader({
  request,
  context,
  params: { file: name = 'audit' },
}: Route.LoaderArgs) {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) throw new Response(null, { status: 404 });
  const { staff, platform } = await requireDesk({ request, context }, file.right);
  const query = new URL(request.url).searchParams;
  const opened = await file.open({ platform, query, role: staff.role });
  if (!opened) return new Response(null, { status: 404 });
  const { file: response, ...entry } = opened;
  await audit(platform.db, { at: platform.now(), staffId: staff.id, ...entry });
  return response;
}
