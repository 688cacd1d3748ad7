import { redirect } from 'react-router';
import { formText } from '~/platform/input/form-text.ts';
import { beginPasskey } from '~/features/staff/passkeys/own-passkeys.server.ts';
import { beginPasskeySignIn } from '~/features/staff/passkeys/passkey-sign-in.server.ts';
import { cookieHeader, type SetCookie } from '~/platform/http/cookies.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Route } from './+types/passkeys.ts';

/** What a script needs to show a passkey, or to make one (`intent=add`); its cookie holds the challenge. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const answer = ({ options, cookie }: { options: unknown; cookie: SetCookie }) =>
    Response.json(options, { headers: cookieHeader(cookie) });
  if (formText(form, 'intent') !== 'add') {
    const begun = await beginPasskeySignIn(platform, request);
    return begun ? answer(begun) : new Response(null, { status: 404 });
  }
  const begun = await beginPasskey(platform, request, formText(form, 'code').slice(0, 40));
  return begun.ok ? answer(begun.value) : Response.json({ error: begun.error }, { status: 422 });
}

/** There is nothing to open. */
export const loader = () => redirect('/admin');
