import { redirect } from 'react-router';
import { readLink } from './download.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/document.ts';

/** `/documents/:token`: the file itself, for ten minutes after it was opened. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const file = await readLink(context.get(platformContext), params.token);
  return file ?? redirect('/download', { headers: { 'Cache-Control': 'no-store' } });
}
