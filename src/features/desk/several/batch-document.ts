import { isUuid } from '~/base/uuid.ts';
import { batchOf, filesOf } from './batch.server.ts';
import { pdfAnswer } from '../application/read-files.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/batch-document.ts';

/** A PDF of a batch, for the person who added it. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'approve');
  const platform = context.get(platformContext);
  const { id, file } = params;
  const batch = isUuid(id) ? await batchOf(platform.db, { id, staffId: staff.id }) : null;
  const rows = batch ? await filesOf(platform.db, batch.id) : [];
  const fileId = rows.find((row) => row.file.id === file)?.upload?.fileId;
  const stored = fileId ? await platform.files.read(fileId) : undefined;
  return stored ? pdfAnswer(stored.bytes, "'none'") : new Response(null, { status: 404 });
}
