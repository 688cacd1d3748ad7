import { readForm } from '~/platform/input/read-body.server.ts';
import { readTyped } from './rules/typed.ts';
import { saveForm } from './form/handle-form-submit.server.ts';
import type { Route } from './+types/autosave.ts';

/** Stores the form's answers while they are typed. The response is empty, as nothing uses it. */
export async function action(args: Route.ActionArgs) {
  const form = await readForm(args);
  const { headers } = await saveForm(args, form, { typed: readTyped(form), by: 'itself' });
  headers.set('Cache-Control', 'no-store');
  return new Response(null, { status: 204, headers });
}
