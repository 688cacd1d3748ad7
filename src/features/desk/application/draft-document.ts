import { draftAt } from './draft.server.ts';
import { pdfAnswer } from './read-files.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/draft-document.ts';

/** The PDF that a draft would deliver, for its author. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const fileId = (await draftAt({ request, context }, params))?.draft.fileId;
  const file = fileId ? await context.get(platformContext).files.read(fileId) : undefined;
  return file ? pdfAnswer(file.bytes, "'self'") : new Response(null, { status: 404 });
}
