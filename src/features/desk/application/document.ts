import { pdfAnswer, readDocument } from './read-files.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/document.ts';

/** A delivered PDF, for staff; recorded in the audit trail. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context });
  const bytes = await readDocument(context.get(platformContext), staff, params.id);
  return bytes ? pdfAnswer(bytes, "'none'") : new Response(null, { status: 404 });
}
