import { data, redirect, type RouterContextProvider } from 'react-router';
import type { Language } from '~/base/languages.ts';
import { ok, type Outcome } from '~/base/outcome.ts';
import { askBeforeChange } from '~/features/order/payer/change-order.server.ts';
import { paymentsContext, type Payments } from '~/features/payment/settlement/context.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { cookieHeader, type SetCookie } from '~/platform/http/cookies.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import type { ChangePageView } from '~/features/application/change-view.tsx';
import {
  findChangeable,
  type Changeable,
  type ChangeRefusal,
} from '~/features/application/find-change.server.ts';
import type { Typed } from './answers/controls.ts';
import { formStarts, type DraftForm } from './draft/draft-content.ts';
import { losesDraft, noDraftCookie, openDraft, reopenDraft } from './draft/draft.server.ts';

type Args = { request: Request; context: Readonly<RouterContextProvider> };

/** A form in which an unpaid application can be opened again. */
export type FormToChange = {
  form: DraftForm;
  /** Where the form begins once it is open. */
  opensAt: string;
  /** The controls that give a stored application's answers. */
  typedOf: (platform: Platform, found: Changeable, language: Language) => Promise<Typed>;
};

const headers = { 'Cache-Control': 'no-store' };
const refIn = (request: Request): string =>
  (new URL(request.url).searchParams.get('ref') ?? '').slice(0, 40);

/**
 * Opens an unpaid application again in its form, with all its answers; what is stored stays until they are submitted.
 * Returns the cookie to set, or null where the browser has the draft already.
 */
async function openChange(
  { form, typedOf }: FormToChange,
  platform: Platform,
  payments: Payments,
  { request, ref, language }: { request: Request; ref: string; language: Language },
): Promise<Outcome<SetCookie | null, ChangeRefusal>> {
  const asked = await findChangeable(platform, request, ref, form.name);
  if (!asked.ok) return asked;
  await askBeforeChange(platform, payments, asked.value.order.number);
  const found = await findChangeable(platform, request, ref, form.name);
  if (!found.ok) return found;
  const { number } = found.value.application;
  const draft = await openDraft(form, platform, request);
  // Opened before: keep what has been changed since.
  if (draft?.changing === number) return ok(null);
  const typed = await typedOf(platform, found.value, language);
  const reopened = { applicationNumber: number, typed, language };
  return ok(
    await platform.db.transaction((tx) => reopenDraft(tx, form, platform, draft, reopened)),
  );
}

/** Loader and action of the page that asks whether to open it (`/change` below the form's start). */
export function changePage(toChange: FormToChange) {
  const { form, opensAt } = toChange;
  return {
    /** Asks whether an application is to be opened again, or says why it cannot be. */
    async open({ request, context }: Args) {
      const platform = context.get(platformContext);
      const ref = refIn(request);
      const { supportEmail } = await operatorNow(platform);
      const found = await findChangeable(platform, request, ref, form.name);
      if (!found.ok) {
        const status = found.error === 'unknown' ? 404 : found.error === 'not_payer' ? 403 : 409;
        const view: ChangePageView = { kind: 'refused', why: found.error, ref, supportEmail };
        return data(view, { status, headers });
      }
      const { number } = found.value.application;
      const draft = await openDraft(form, platform, request);
      const view: ChangePageView = { kind: 'asked', number, loses: losesDraft(draft, number) };
      return data(view, { headers });
    },

    /** Opens it, or goes back to its status page. */
    async take({ request, context }: Args) {
      const platform = context.get(platformContext);
      const ref = refIn(request);
      const place = encodeURIComponent(ref);
      const sent = await readForm({ request, context });
      const goTo = (path: string, setCookie: SetCookie | null) =>
        redirect(path, { status: 303, headers: setCookie ? cookieHeader(setCookie) : {} });
      if (sent.get('intent') === 'leave') {
        const draft = await openDraft(form, platform, request);
        return goTo(`/status?ref=${place}`, draft?.changing ? noDraftCookie(form, platform) : null);
      }
      const language = context.get(languageContext);
      const asked = { request, ref, language };
      const opened = await openChange(toChange, platform, context.get(paymentsContext), asked);
      return opened.ok
        ? goTo(opensAt, opened.value)
        : goTo(`${formStarts[form.name]}/change?ref=${place}`, null);
    },
  };
}
