import { data } from 'react-router';
import { ResumeView } from '~/features/form/draft/resume-view.tsx';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { canResume, resume } from '../store/resume.server.ts';
import { goTo, placeOfDraft } from '../wizard/wizard.server.ts';
import type { Route } from './+types/resume.ts';

/** The token is in the address: the page is kept nowhere. */
const headersOf = { 'Cache-Control': 'no-store' };

/** Scanners of e-mails follow links: opening the page uses nothing up, the button does. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const isOpen = await canResume(context.get(platformContext), params.token);
  return data({ isOpen }, { status: isOpen ? 200 : 410, headers: headersOf });
}

export async function action({ params, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const resumed = await resume(platform, params.token, context.get(addressContext));
  if (!resumed.ok) {
    const tooMany = resumed.error === 'too_many';
    return data({ tooMany }, { status: tooMany ? 429 : 410, headers: headersOf });
  }
  const { draft, setCookie } = resumed.value;
  const place = await placeOfDraft(platform, draft, context.get(languageContext));
  return goTo(place, new Headers(cookieHeader(setCookie)));
}

function ResumePage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ResumeView
      isOpen={loaderData.isOpen && actionData?.tooMany !== false}
      start="/application"
      tooMany={actionData?.tooMany === true}
    />
  );
}

export { ResumePage as default };
