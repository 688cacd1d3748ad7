import * as z from 'zod/mini';
import { platformContext, PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import { openDraft } from '~/features/form/draft/draft.server.ts';
import { insuranceDrafts } from './store/draft.server.ts';
import { formPhoto } from './form/draft-photos.server.ts';
import type { Route } from './+types/photo.ts';

/**
 * A photo of a parent's ID, for the browser whose draft has it, until the application is submitted or while it is being
 * changed.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const id = z.uuid().safeParse(params.id);
  const draft = await openDraft(insuranceDrafts, platform, request);
  const photo = id.success && draft && (await formPhoto(platform.db, draft, id.data));
  const file = photo && (await platform.files.read(photo.fileId));
  if (!file) return new Response(null, { status: 404, headers: PRIVATE_PAGE });
  return new Response(new Uint8Array(file.bytes), {
    headers: { ...PRIVATE_PAGE, 'Content-Type': 'image/jpeg', 'X-Content-Type-Options': 'nosniff' },
  });
}
