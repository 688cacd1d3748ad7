import { redirect } from 'react-router';
import { formText } from '~/platform/input/form-text.ts';
import { filterQuery, wholeList, type Kind } from '~/features/desk/list/list-filter.ts';
import { sealSearch } from '~/features/desk/list/search-address.server.ts';
import { kindToShow } from '~/features/desk/list/search-elsewhere.server.ts';
import { pageOfExact } from '~/features/desk/list/search-exact.server.ts';
import { readSearch } from '~/features/desk/list/search-words.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/search.ts';

/**
 * Opens the page that a complete number names; otherwise lists matches among all applications, without the earlier
 * filters.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const typed = formText(form, 'search').slice(0, 200);
  const tab: Kind = formText(form, 'tab') === 'insurance' ? 'insurance' : 'visa';
  const headers = { 'Cache-Control': 'no-store' };
  const exact = await pageOfExact(platform.db, typed);
  if (exact !== null) return redirect(exact, { headers });
  const search = readSearch(typed);
  const looking = { staffId: staff.id, now: platform.now() };
  const kind = search ? await kindToShow(platform.db, tab, search, looking) : tab;
  const list = wholeList(kind, search ? sealSearch(platform, typed) : '');
  return redirect(`/admin${filterQuery(list)}`, { headers });
}

export const loader = () => redirect('/admin');
