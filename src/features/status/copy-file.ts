import { redirect } from 'react-router';
import { platformContext } from '~/platform/http/request.server.ts';
import { readCopyLink } from './copy-link.server.ts';
import type { Route } from './+types/copy-file.ts';

/** `/copies/:token`: a copy of an application as PDF, by the link that was sent to its own email address. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const file = await readCopyLink(context.get(platformContext), params.token);
  return file ?? redirect('/download', { headers: { 'Cache-Control': 'no-store' } });
}
