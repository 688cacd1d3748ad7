import { readPhoto } from './read-files.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { platformContext, PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import type { Route } from './+types/photo.ts';

/** A photo of a parent's ID, for staff; recorded in the audit trail. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context });
  const photo = await readPhoto(context.get(platformContext), staff, params.id);
  if (!photo) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(photo.bytes), {
    headers: {
      'Content-Type': photo.mediaType,
      'Content-Disposition': 'inline; filename="parent-id.jpg"',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      ...PRIVATE_PAGE,
    },
  });
}
