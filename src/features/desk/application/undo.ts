import { redirect } from 'react-router';
import { applicationById } from '~/features/application/store.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { decisionById } from './undo-record.server.ts';
import { listQuery } from '../queue/list-filter.ts';
import { undoDecision } from './undo.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { isUuid } from '~/base/uuid.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Route } from './+types/undo.ts';

/** Undoes a decision of one's own and opens its application as it was before, with what was typed for it. */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const form = await readForm({ request, context });
  const id = formText(form, 'decision');
  const headers = { 'Cache-Control': 'no-store' };
  const known = isUuid(id) ? await decisionById(platform.db, id) : null;
  const own = known?.staffId === staff.id ? known : null;
  const application = own && (await applicationById(platform.db, own.applicationId));
  if (!own || !application) return redirect('/admin', { headers });
  const outcome = await undoDecision(platform, staff, id);
  const query = new URLSearchParams(listQuery(formText(form, 'list')));
  if (outcome.ok) {
    query.set('done', 'undone');
    const { draftId } = outcome.value;
    if (draftId !== null) query.set('draft', draftId);
  } else {
    query.set('undo', outcome.error.code);
  }
  return redirect(`/admin/applications/${application.number}?${query}#application`, { headers });
}

/** Undoing is a change, so a GET only redirects. */
export const loader = () => redirect('/admin');
