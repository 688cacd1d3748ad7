import { readReceipt } from './read-files.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { platformContext, PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import type { Route } from './+types/receipt.ts';

/** A receipt or credit note as the payer gets it, for staff; recorded in the audit trail. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context });
  const found = await readReceipt(context.get(platformContext), staff, params.id);
  if (!found) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(found.bytes), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="${found.number}.pdf"`,
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      ...PRIVATE_PAGE,
    },
  });
}
