import { stringify } from 'devalue';
import { peekNextFree } from '~/features/application/claim/claim-store.server.ts';
import { loader as loadCase } from '~/features/desk/case/pages/application.tsx';
import { loader as loadQueue } from '~/features/desk/queue/pages/desk.tsx';
import { findApplication } from '~/features/desk/records/detail.server.ts';
import { nextList } from '~/features/desk/records/open-next.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/ahead.ts';

/**
 * The page of the application that "next" would open now, for the browser to keep until it does. It is not claimed. Its
 * view is recorded, because its data leaves the service here; null where nothing is free.
 */
export async function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const kind = query.get('kind') === 'insurance' ? 'insurance' : 'visa';
  const seen = await findApplication(platform.db, query.get('not') ?? '');
  const wanted = { kind, staffId: staff.id, now: platform.now(), not: seen?.id ?? null } as const;
  const next = await peekNextFree(platform.db, wanted);
  if (!next) return answer(null);
  const { number } = next;
  const url = new URL(`/admin/applications/${number}${nextList(kind)}`, request.url);
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
