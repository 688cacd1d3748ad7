import { data, redirect } from 'react-router';
import { ResumeView } from '~/features/form/draft/resume-view.tsx';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import { addressContext, platformContext } from '~/platform/http/request.server.ts';
import { insuranceLinks } from '../store/draft.server.ts';
import { leadSubmitted } from '../form/submitted.server.ts';
import type { Route } from './+types/resume.ts';

/** The token is in the address: the page is kept nowhere. */
const headersOf = { 'Cache-Control': 'no-store' };

/** Scanners of e-mails follow links: opening the page uses nothing up, the button does. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const isOpen = await insuranceLinks.canResume(context.get(platformContext), params.token);
  return data({ isOpen }, { status: isOpen ? 200 : 410, headers: headersOf });
}

export async function action({ params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const resumed = await insuranceLinks.resume(platform, params.token, context.get(addressContext));
  if (!resumed.ok) {
    const tooMany = resumed.error === 'too_many';
    return data({ tooMany }, { status: tooMany ? 429 : 410, headers: headersOf });
  }
  const { draft, setCookie } = resumed.value;
  const lead = await leadSubmitted(platform, draft);
  return redirect(lead?.url ?? '/insurance', {
    status: 303,
    headers: cookieHeader(setCookie),
  });
}

function InsuranceResumePage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ResumeView
      isOpen={loaderData.isOpen && actionData?.tooMany !== false}
      start="/insurance"
      tooMany={actionData?.tooMany === true}
    />
  );
}

export { InsuranceResumePage as default };
