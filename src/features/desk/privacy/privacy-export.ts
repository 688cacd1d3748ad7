import { exportCase } from './export.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import type { Route } from './+types/privacy-export.ts';

/** Everything about the person of a request, as a ZIP; recorded in the audit trail. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'administer');
  const made = await exportCase(platform, staff, params.id);
  if (!made.ok) {
    return new Response(null, {
      status: made.error === 'not_found' ? 404 : 409,
      headers: PRIVATE_PAGE,
    });
  }
  return new Response(new Uint8Array(made.value), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="personal-data-${params.id.slice(0, 8)}.zip"`,
      'X-Content-Type-Options': 'nosniff',
      ...PRIVATE_PAGE,
    },
  });
}
