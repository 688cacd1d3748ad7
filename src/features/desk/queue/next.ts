import { redirect } from 'react-router';
import { nextAddress } from './next.server.ts';
import { findApplication } from '../application/detail.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { isInHand } from '~/features/application/queue-group.ts';
import type { Route } from './+types/next.ts';

/** Claims the next application of the list that is open; where there is none, the list says so. */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const form = await readForm({ request, context });
  const open = await findApplication(platform.db, formText(form, 'not'));
  const address = await nextAddress(platform, staff, {
    list: new URLSearchParams(formText(form, 'list')),
    not: open && isInHand(open) ? open.id : null,
    again: form.has('again'),
  });
  return redirect(address, { headers: { 'Cache-Control': 'no-store' } });
}

/** Claiming is a change, so a GET only redirects. */
export const loader = () => redirect('/admin');
