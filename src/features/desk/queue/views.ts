import { data, redirect } from 'react-router';
import { formText } from '~/platform/input/form-text.ts';
import { VIEW_RESULT, viewQuery, type ViewResult } from './list-filter.ts';
import { removeView, saveView, shareView, setStartView } from './views.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Route } from './+types/views.ts';

/** Saves, shares, removes a view or begins with it, and shows the list again. */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const form = await readForm({ request, context });
  const query = viewQuery(formText(form, 'list').slice(0, 500));
  const id = formText(form, 'id');
  const run = async (): Promise<ViewResult | null> => {
    switch (formText(form, 'intent')) {
      case 'save':
        return saveView(platform, staff, { name: formText(form, 'name').slice(0, 500), query });
      case 'remove':
        return (await removeView(platform, staff, id)) ? 'removed' : null;
      case 'share':
      case 'unshare': {
        if (!may(staff.role, 'share_view')) throw data(null, { status: 403 });
        const shared = formText(form, 'intent') === 'share';
        if (!(await shareView(platform, staff, { id, shared }))) return null;
        return shared ? 'shared' : 'unshared';
      }
      case 'start':
        return (await setStartView(platform, staff, id)) ? 'start' : null;
      case 'no_start':
        await setStartView(platform, staff, null);
        return 'no_start';
      default:
        return null;
    }
  };
  const result = await run();
  // Removed by somebody else meanwhile, or never there.
  if (result === null) throw data(null, { status: 404 });
  const answer = new URLSearchParams(query);
  answer.set(VIEW_RESULT, result);
  return redirect(`/admin?${answer}`, { headers: { 'Cache-Control': 'no-store' } });
}

export const loader = () => redirect('/admin');
