import { data, redirect, type RouterContextProvider } from 'react-router';
import type { Language } from '~/base/languages.ts';
import { ok, type Outcome } from '~/base/outcome.ts';
import { askBeforeChange } from '~/features/order/payer/change-order.server.ts';
import { paymentsContext, type Payments } from '~/features/payment/settlement/context.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { cookieHeader, type SetCookie } from '~/platform/http/cookies.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import type { ChangeForm, ChangePageView } from './change-view.tsx';
import { findChangeable, type Changeable, type ChangeRefusal } from './find-change.server.ts';

type Args = { request: Request; context: Readonly<RouterContextProvider> };
type Typed = Readonly<Record<string, string>>;
type Begun = { applicationNumber: string | null; changing: string | null };

/** A form in which an unpaid application can be opened again. `Draft`: what it keeps for a browser. */
export type FormToChange<Draft extends Begun> = {
  kind: ChangeForm;
  /** The page that asks whether to open it, and where the form begins once it is open. */
  paths: { ask: string; form: string };
  drafts: {
    open: (platform: Platform, request: Request) => Promise<Draft | null>;
    reopen: (
      tx: Transaction,
      platform: Platform,
      draft: Draft,
      reopened: { applicationNumber: string; typed: Typed },
    ) => Promise<unknown>;
    /** Returns the cookie to set. */
    reopenHere: (
      tx: Transaction,
      platform: Platform,
      reopened: { applicationNumber: string; typed: Typed; language: Language },
    ) => Promise<SetCookie>;
    noCookie: (platform: Platform) => SetCookie;
  };
  /** Whether opening the application would replace a draft of another one in this browser. */
  loses: (draft: Draft | null, number: string) => boolean;
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
async function openChange<Draft extends Begun>(
  { kind, drafts, typedOf }: FormToChange<Draft>,
  platform: Platform,
  payments: Payments,
  { request, ref, language }: { request: Request; ref: string; language: Language },
): Promise<Outcome<{ setCookie: SetCookie | null }, ChangeRefusal>> {
  const asked = await findChangeable(platform, request, ref, kind);
  if (!asked.ok) return asked;
  await askBeforeChange(platform, payments, asked.value.order.number);
  const found = await findChangeable(platform, request, ref, kind);
  if (!found.ok) return found;
  const { number } = found.value.application;
  const draft = await drafts.open(platform, request);
  // Opened before: keep what has been changed since.
  if (draft?.changing === number) return ok({ setCookie: null });
  const typed = await typedOf(platform, found.value, language);
  const reopened = { applicationNumber: number, typed };
  return platform.db.transaction(async (tx) => {
    if (draft?.applicationNumber === number) {
      await drafts.reopen(tx, platform, draft, reopened);
      return ok({ setCookie: null });
    }
    return ok({ setCookie: await drafts.reopenHere(tx, platform, { ...reopened, language }) });
  });
}

/** Loader and action of the page at `paths.ask`. */
export function changePage<Draft extends Begun>(form: FormToChange<Draft>) {
  const { kind, paths, drafts, loses } = form;
  return {
    /** Asks whether an application is to be opened again, or says why it cannot be. */
    async open({ request, context }: Args) {
      const platform = context.get(platformContext);
      const ref = refIn(request);
      const { supportEmail } = await operatorNow(platform);
      const found = await findChangeable(platform, request, ref, kind);
      if (!found.ok) {
        const status = found.error === 'unknown' ? 404 : found.error === 'not_payer' ? 403 : 409;
        const view: ChangePageView = { kind: 'refused', why: found.error, ref, supportEmail };
        return data(view, { status, headers });
      }
      const { number } = found.value.application;
      const draft = await drafts.open(platform, request);
      const view: ChangePageView = { kind: 'asked', number, loses: loses(draft, number) };
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
        const draft = await drafts.open(platform, request);
        return goTo(`/status?ref=${place}`, draft?.changing ? drafts.noCookie(platform) : null);
      }
      const language = context.get(languageContext);
      const asked = { request, ref, language };
      const opened = await openChange(form, platform, context.get(paymentsContext), asked);
      if (!opened.ok) return goTo(`${paths.ask}?ref=${place}`, null);
      return goTo(paths.form, opened.value.setCookie);
    },
  };
}
