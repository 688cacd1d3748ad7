import { redirect } from 'react-router';
import { claimNextAddress } from '~/features/desk/records/open-next.server.ts';
import { findApplication } from '~/features/desk/records/detail.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/next.ts';

/** Claims the most urgent application that is free; where there is none, shows the list of open ones. */
export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const kind = formText(form, 'tab') === 'insurance' ? 'insurance' : 'visa';
  const seen = await findApplication(platform.db, formText(form, 'not'));
  const address = await claimNextAddress(platform, staff, { kind, not: seen?.id ?? null });
  return redirect(address, { headers: { 'Cache-Control': 'no-store' } });
}

/** Claiming is a change, so a GET only redirects. */
export const loader = () => redirect('/admin');
