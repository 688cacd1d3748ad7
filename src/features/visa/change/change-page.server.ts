import { data } from 'react-router';
import type { ChangePageView } from '~/features/application/change/change-view.tsx';
import { losesDraft } from '~/features/draft/loses-draft.ts';
import { paymentsContext } from '~/features/payment/context.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import { noDraftCookie, openDraft } from '../draft.server.ts';
import { goTo, type StepArgs } from '../wizard/wizard.server.ts';
import { cookieHeader, giveCookie } from '~/platform/cookies.server.ts';
import { findChangeable } from '~/features/application/change/find-change.server.ts';
import { openChange } from './open-change.server.ts';

const headers = { 'Cache-Control': 'no-store' };
const refIn = (request: Request): string =>
  (new URL(request.url).searchParams.get('ref') ?? '').slice(0, 40);

/** Asks whether an application is to be opened again, or says why it cannot be. */
export async function openChangePage({ request, context }: StepArgs) {
  const platform = context.get(platformContext);
  const ref = refIn(request);
  const { supportEmail } = await operatorNow(platform);
  const found = await findChangeable(platform, request, ref, 'visa');
  if (!found.ok) {
    const status = found.error === 'unknown' ? 404 : found.error === 'not_payer' ? 403 : 409;
    const view: ChangePageView = { kind: 'refused', why: found.error, ref, supportEmail };
    return data(view, { status, headers });
  }
  const { number } = found.value.application;
  const loses = losesDraft(await openDraft(platform, request), number);
  const view: ChangePageView = { kind: 'asked', number, loses };
  return data(view, { headers });
}

/** Opens it, or leaves it as it was. */
export async function takeChange(args: StepArgs) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const ref = refIn(request);
  const form = await readForm(args);
  if (form.get('intent') === 'leave') {
    const draft = await openDraft(platform, request);
    const headers = new Headers();
    if (draft?.changing) giveCookie(headers, noDraftCookie(platform));
    return goTo(`/status?ref=${ref}`, headers);
  }
  const opened = await openChange(
    platform,
    context.get(paymentsContext),
    request,
    ref,
    context.get(languageContext),
  );
  if (!opened.ok) return goTo(`/application/change?ref=${ref}`, new Headers());
  const { setCookie } = opened.value;
  return goTo('/application/review', new Headers(setCookie ? cookieHeader(setCookie) : {}));
}
