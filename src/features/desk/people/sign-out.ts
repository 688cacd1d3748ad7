import { redirect } from 'react-router';
import { signOut } from '~/features/staff/session.server.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/sign-out.ts';

export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const headers = new Headers({ 'Cache-Control': 'no-store', 'Clear-Site-Data': '"cache"' });
  giveCookie(headers, await signOut(platform, request));
  return redirect('/admin', { headers });
}

/** Signing out is a change, so a GET only redirects. */
export const loader = () => redirect('/admin');
