import * as z from 'zod/mini';
import type { RouterContextProvider } from 'react-router';
import { email } from '~/features/application/texts.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { settleEmail } from '~/platform/mail/mistyped-email.server.ts';
import { textOf, type Typed } from './answers/controls.ts';
import type { DraftForm } from './draft/draft-content.ts';
import { openerOf, type Draft } from './draft/draft.server.ts';
import { sendResumeLink } from './draft/resume.server.ts';
import { SAVE_ANSWER, SAVE_EMAIL, type LinkRefusal } from './draft/save-later.tsx';

/** Characters kept of what was typed as an address. */
const LONGEST = 300;

/** The address typed for a link that was not asked for: it is not stored, but shown again with a page that is refused. */
export const addressBeside = (form: FormData): Typed => ({
  [SAVE_EMAIL]: textOf(form, SAVE_EMAIL, LONGEST),
});

/** Sends the link that opens a draft on another device; returns why none was sent, or null. */
export async function sendLink(
  drafts: DraftForm,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  form: FormData,
  { id: draftId }: Pick<Draft, 'id'>,
): Promise<LinkRefusal | null> {
  const typed = textOf(form, SAVE_EMAIL, LONGEST);
  const { email: meant, ask } = settleEmail(typed, textOf(form, SAVE_ANSWER, LONGEST));
  const read = z.safeParse(email(), meant);
  if (!read.success) return { email: typed, code: typed.trim() === '' ? 'required' : 'invalid' };
  if (ask !== null) return { email: typed, code: 'mistyped', suggestion: ask };
  const platform = context.get(platformContext);
  const sent = await sendResumeLink(drafts, platform, {
    draftId,
    email: read.data,
    language: context.get(languageContext),
    address: context.get(addressContext),
    opener: openerOf(drafts, platform, request),
  });
  return sent.ok ? null : { email: typed, code: sent.error };
}

/** The HTTP status of a page with a refused link. */
export const statusOfRefusal = ({ code }: LinkRefusal): number => (code === 'too_many' ? 429 : 422);
