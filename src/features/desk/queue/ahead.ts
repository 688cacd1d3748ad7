import { stringify } from 'devalue';
import { loader as loadCase } from '../application/application.tsx';
import { readListQuery } from './open-search.server.ts';
import { filterQuery } from './list-filter.ts';
import { peekNext } from './next.server.ts';
import { loader as loadQueue } from './desk.tsx';
import { findApplication } from '../application/detail.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import type { Route } from './+types/ahead.ts';

/**
 * The page of the application that "next" would open now in a list, for the browser to keep until it does. It is not
 * claimed, nor looked at yet. Its view is recorded, because its data leaves the service here; null where nothing is free.
 */
export async function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const { staff, platform } = await requireDesk({ request, context });
  const query = new URL(request.url).searchParams;
  const open = await findApplication(platform.db, query.get('not') ?? '');
  const { filter, sealedSearch } = readListQuery(
    platform,
    new URLSearchParams(query.get('list') ?? ''),
  );
  const next = await peekNext(platform, staff, filter, { not: open?.id ?? null });
  if (!next) return answer(null);
  const { number, kind } = next;
  const { search: _, ...shown } = { ...filter, sealedSearch, kind, place: null };
  const url = new URL(`/admin/applications/${number}${filterQuery(shown)}`, request.url);
  url.searchParams.set('ahead', '');
  const asked = new Request(url, { headers: request.headers });
  const [page, queue] = await Promise.all([
    loadCase({ ...args, request: asked, params: { number } }),
    loadQueue({ ...args, request: asked, params: { number } }),
  ]);
  return answer({ number, page, queue });
}

const answer = (ahead: unknown) =>
  new Response(stringify(ahead), {
    headers: { ...PRIVATE_PAGE, 'Content-Type': 'application/json; charset=utf-8' },
  });
