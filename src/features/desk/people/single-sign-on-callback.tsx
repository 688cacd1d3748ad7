import { data, redirect } from 'react-router';
import { SignOnFailure } from './single-sign-on.tsx';
import { accountStartPage } from '../queue/views.server.ts';
import { knownDeviceCookie } from '~/features/staff/known-device.server.ts';
import { sessionCookie } from '~/features/staff/session.server.ts';
import { completeSignOn } from '~/features/staff/complete-sign-on.server.ts';
import { clearSignOn, statusOfProblem } from '~/features/staff/sign-on.server.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { PRIVATE_PAGE, addressContext, platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/single-sign-on-callback.ts';

export const headers = ({ loaderHeaders }: { loaderHeaders: Headers }) => loaderHeaders;

/** Where the identity provider sends the browser back to. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  if (!platform.config.singleSignOn) throw data(null, { status: 404 });
  const outcome = await completeSignOn(platform, request, context.get(addressContext));
  const headers = new Headers(PRIVATE_PAGE);
  if (!outcome.ok) {
    const { problem, isOver } = outcome.error;
    if (isOver) giveCookie(headers, clearSignOn(platform));
    return data({ problem }, { status: statusOfProblem[problem], headers });
  }
  giveCookie(headers, clearSignOn(platform));
  const { opened, next } = outcome.value;
  if (!opened) return redirect(next, { headers });
  giveCookie(headers, sessionCookie(platform, opened.token));
  if (opened.half) return redirect(`/admin?next=${encodeURIComponent(next)}`, { headers });
  giveCookie(headers, knownDeviceCookie(platform, request, opened.accountId));
  const start = next === '/admin' ? await accountStartPage(platform, opened.accountId) : '';
  return redirect(`${next}${start}`, { headers });
}

export default function SingleSignOnCallbackPage({ loaderData }: Route.ComponentProps) {
  return <SignOnFailure problem={loaderData.problem} />;
}
