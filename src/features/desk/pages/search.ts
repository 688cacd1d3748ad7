import { redirect } from 'react-router';
import { formText } from '~/features/desk/form-text.ts';
import { filterQuery, readFilter } from '~/features/desk/list-filter.ts';
import { searchCookie } from '~/features/desk/search-cookie.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { platformContext } from '~/platform/request.server.ts';
import type { Route } from './+types/search.ts';

/** Keeps what was searched for and shows the list again, from its first page. */
export async function action({ request, context }: Route.ActionArgs) {
  await requireStaff({ request, context });
  const form = await readForm({ request, context });
  const text = (name: string) => formText(form, name).slice(0, 200);
  const query = new URLSearchParams(text('query'));
  const kind = query.get('tab') === 'insurance' ? 'insurance' : 'visa';
  const filter = { ...readFilter(query, kind, null), place: null };
  return redirect(`/admin${filterQuery(filter)}`, {
    headers: { 'Set-Cookie': searchCookie(context.get(platformContext), text('search')) },
  });
}

export const loader = () => redirect('/admin');
