import { readDocument } from '~/features/desk/read-document.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { platformContext } from '~/platform/request.server.ts';
import type { Route } from './+types/document.ts';

/** A delivered PDF, for staff; written into the audit trail. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context });
  const bytes = await readDocument(context.get(platformContext), staff, params.id);
  if (!bytes) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'inline; filename="document.pdf"',
      // A reader inside the browser shows it; nothing in it runs with our origin.
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    },
  });
}
