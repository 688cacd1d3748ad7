import { redirect } from 'react-router';
import type { Language } from '~/base/languages.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import { settleEmail } from '~/platform/mail/mistyped-email.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import type { Problem } from './answers/check.ts';
import { textOf, type Typed } from './answers/controls.ts';
import type { DraftForm, Writing } from './draft/draft-content.ts';
import { saveDraft, type Draft } from './draft/draft.server.ts';
import { nextPageOf } from './next-page.server.ts';

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
  write: (draft: Draft | null) => Promise<Writing>,
) {
  const number = opened?.applicationNumber ?? null;
  const next = number === null ? null : await nextPageOf(form, platform, number);
  if (next?.isUnpaid) throw redirect(next.url, { status: 303 });
  const known = next ? null : opened;
  const writing = await write(known);
  const saved = await saveDraft(form, platform, request, known, writing, language);
  if (saved.kind === 'submitted') {
    const { url } = await nextPageOf(form, platform, saved.applicationNumber);
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
export const openingOf = (form: FormData): Pick<Writing, 'page' | 'seen' | 'turn'> => ({
  page: textOf(form, 'page', 64),
  seen: numberOf(form, 'version'),
  turn: numberOf(form, 'turn'),
});

/** The entries with the address that was chosen of two as if it had been typed. */
export const withChosenEmail = (typed: Typed): Typed =>
  typed.email === undefined ? typed : { ...typed, email: settledEmail(typed).email };

/** The open question whether the submitted address was mistyped, as a problem of its field. */
export function askEmail(typed: Typed): Problem<'email'>[] {
  const { ask } = settledEmail(typed);
  return ask === null ? [] : [{ field: 'email', code: 'mistyped', suggestion: ask }];
}

const settledEmail = (typed: Typed) => settleEmail(typed.email ?? '', typed[EMAIL_ANSWER] ?? '');
