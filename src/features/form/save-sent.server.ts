import { redirect, type RouterContextProvider } from 'react-router';
import type { Language } from '~/base/languages.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { resolveEmail } from '~/platform/mail/mistyped-email.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import type { AnswerProblem } from './answers/check.ts';
import { boundedText, type TypedAnswers } from './answers/controls.ts';
import type { DraftForm, StepSubmission } from './draft/draft-content.ts';
import { saveDraft, type Draft, draftOpener } from './draft/draft.server.ts';
import * as z from 'zod/mini';
import { email } from '~/features/application/texts.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { sendResumeLink } from './draft/resume.server.ts';
import { SAVE_ANSWER, SAVE_EMAIL, type LinkRefusal } from './draft/save-later.tsx';
import { payRefusal } from '~/features/order/may-pay.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { orderByApplication, type Order } from '~/features/order/store.server.ts';

/** Where a submitted draft leads: to its payment, or else to its status page. */
type NextPage = { url: string; isUnpaid: boolean };

/** The order of a submitted draft while it may be paid; null where the status page says why not (`payRefusal`). */
export async function orderToPay(
  { db }: Pick<Platform, 'db'>,
  number: string,
): Promise<Order | null> {
  const order = await orderByApplication(db, number);
  if (!order) return null;
  return payRefusal(order, await attemptsByReference(db, order.number)) === null ? order : null;
}

/** The next page of a draft that was submitted under this number. */
export async function nextPage(
  { paymentPath }: DraftForm,
  platform: Pick<Platform, 'db'>,
  number: string,
): Promise<NextPage> {
  return (await orderToPay(platform, number))
    ? { url: paymentPath(number), isUnpaid: true }
    : { url: `/status?ref=${number}`, isUnpaid: false };
}

/**
 * Stores a page's answers in this browser's draft. Where its application is paid or rejected, or the draft of the page is
 * gone (`isGone`), a new draft begins.
 * @throws A redirect to the payment where the draft was submitted and is unpaid.
 */
export async function saveSent(
  form: DraftForm,
  { platform, request, language }: { platform: Platform; request: Request; language: Language },
  opened: Draft | null,
  /** Merges the answers into the draft so far. */
  write: (draft: Draft | null) => Promise<StepSubmission>,
) {
  const number = opened?.applicationNumber ?? null;
  const next = number === null ? null : await nextPage(form, platform, number);
  if (next?.isUnpaid) throw redirect(next.url, { status: 303 });
  const known = next ? null : opened;
  const writing = await write(known);
  const saved = await saveDraft(form, platform, request, known, writing, language);
  if (saved.kind === 'submitted') {
    const { url } = await nextPage(form, platform, saved.applicationNumber);
    throw redirect(url, { status: 303 });
  }
  const headers = new Headers();
  if (saved.setCookie) giveCookie(headers, saved.setCookie);
  // The page was of a draft that this browser no longer opens: its cookie was deleted, or it expired.
  const isGone = opened === null && writing.seen > 0;
  return { draft: saved.draft, replaced: saved.replaced, isGone, headers };
}

const numberOf = (form: FormData, name: string): number => {
  const value = Number(form.get(name));
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
};

/** Query parameter of a page that says, by `GoneNotice`, that the draft before is gone. */
export const GONE = 'gone';

/** The page id, version and counter that a form sends: see `draft-content.ts`. */
export const readPageState = (form: FormData): Pick<StepSubmission, 'page' | 'seen' | 'turn'> => ({
  page: boundedText(form, 'page', 64),
  seen: numberOf(form, 'version'),
  turn: numberOf(form, 'turn'),
});

/** The entries with the address that was chosen of two as if it had been typed. */
export const withChosenEmail = (typed: TypedAnswers): TypedAnswers =>
  typed.email === undefined ? typed : { ...typed, email: settledEmail(typed).email };

/** The open question whether the submitted address was mistyped, as a problem of its field. */
export function askEmail(typed: TypedAnswers): AnswerProblem<'email'>[] {
  const { ask } = settledEmail(typed);
  return ask === null ? [] : [{ field: 'email', code: 'mistyped', suggestion: ask }];
}

const settledEmail = (typed: TypedAnswers) =>
  resolveEmail(typed.email ?? '', typed[EMAIL_ANSWER] ?? '');

/** Characters kept of what was typed as an address. */
const MAX_SAVED_ADDRESS_LENGTH = 300;

/** The address typed for a link that was not asked for: it is not stored, but shown again with a page that is refused. */
export const readSavedAddress = (form: FormData): TypedAnswers => ({
  [SAVE_EMAIL]: boundedText(form, SAVE_EMAIL, MAX_SAVED_ADDRESS_LENGTH),
});

/** Sends the link that opens a draft on another device; returns why none was sent, or null. */
export async function sendLink(
  drafts: DraftForm,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  form: FormData,
  { id: draftId }: Pick<Draft, 'id'>,
): Promise<LinkRefusal | null> {
  const typed = boundedText(form, SAVE_EMAIL, MAX_SAVED_ADDRESS_LENGTH);
  const { email: meant, ask } = resolveEmail(
    typed,
    boundedText(form, SAVE_ANSWER, MAX_SAVED_ADDRESS_LENGTH),
  );
  const read = z.safeParse(email(), meant);
  if (!read.success) return { email: typed, code: typed.trim() === '' ? 'required' : 'invalid' };
  if (ask !== null) return { email: typed, code: 'mistyped', suggestion: ask };
  const platform = context.get(platformContext);
  const sent = await sendResumeLink(drafts, platform, {
    draftId,
    email: read.data,
    language: context.get(languageContext),
    address: context.get(addressContext),
    opener: draftOpener(drafts, platform, request),
  });
  return sent.ok ? null : { email: typed, code: sent.error };
}

/** The HTTP status of a page with a refused link. */
export const formRefusalStatus = ({ code }: LinkRefusal): number =>
  code === 'too_many' ? 429 : 422;
