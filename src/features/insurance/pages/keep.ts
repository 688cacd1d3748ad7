import { readForm } from '~/platform/input/read-form.server.ts';
import { readTyped } from '../rules/typed.ts';
import { keepForm } from '../form/handle-form-submit.server.ts';
import type { Route } from './+types/keep.ts';

/** Stores the form's answers while they are typed. The response is empty, as nothing uses it. */
export async function action(args: Route.ActionArgs) {
  const form = await readForm(args);
  const { headers } = await keepForm(args, form, { typed: readTyped(form), by: 'itself' });
  headers.set('Cache-Control', 'no-store');
  return new Response(null, { status: 204, headers });
}
