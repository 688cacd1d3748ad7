import { data } from 'react-router';
import * as z from 'zod/mini';
import { readForm } from '~/platform/input/read-form.server.ts';
import { settleEmail } from '~/platform/mail/mistyped-email.server.ts';
import { addressContext } from '~/platform/http/request.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { textOf, type Typed } from '~/features/form/answers/controls.ts';
import { firstIncomplete, next, problemsAt } from '../rules/checked-journey.ts';
import { previous } from '../rules/journey.ts';
import { sendResumeLink } from '../store/resume.server.ts';
import type { Problem } from '../rules/rule.ts';
import { SAVE_ANSWER } from '~/features/form/draft/save-later.tsx';
import type { StepAnswer } from '../parts/step-view.ts';
import { stepOf, type StepId, leadsToReview } from '../rules/steps.ts';
import { email } from '~/features/application/texts.ts';
import { goTo, leadToOther, receiveStep, type SentStep, type StepArgs } from './wizard.server.ts';

/** Keeps a step's answers and goes on, back, to the same page in another language or to the e-mail with the link; what is wrong keeps the page. */
export async function handleStepSubmit(id: StepId, args: StepArgs) {
  const sent = await receiveStep(id, args, await readForm(args));
  return answerStep(id, args, sent);
}

export async function answerStep(id: StepId, { context, request }: StepArgs, sent: SentStep) {
  const { intent, headers, country, replaced, entries, answers, situation } = sent;
  // Everything that was typed is kept; the page says which nationality it is for now, and is sent again.
  if (sent.isNationalityOther) return goTo(leadToOther(id, answers, situation), headers);
  // Not silently: the page says what another tab had here, and goes its way at the next press.
  if (intent !== 'next' && Object.keys(replaced).length > 0) {
    return stay(sent, { typed: entries, replaced }, 409);
  }
  if (intent === 'previous') {
    return goTo((previous(id, country) ?? stepOf('nationality')).url, headers);
  }
  if (intent === SWITCH_LANGUAGE) return goTo(stepOf(id).url, headers);
  if (intent === 'later') return sendLater(sent, context.get(addressContext));
  return goOn(id, sent, leadsToReview(new URL(request.url).searchParams));
}

/**
 * To the next step, or back to the review page where the step was opened from there and nothing else is missing now: a
 * change of nationality asks more questions.
 */
export function goOn(id: StepId, sent: SentStep, toReview = false) {
  const { answers, situation, headers, replaced, entries, movedFrom } = sent;
  const problems = [...problemsAt(id, answers, situation), ...askEmail(id, entries)];
  if (problems.length > 0) return stay(sent, { typed: entries, problems, replaced }, 422);
  if (Object.keys(replaced).length > 0) return stay(sent, { typed: entries, replaced }, 409);
  // Another speed is another price: it is shown before anybody goes on with it.
  if (movedFrom) return stay(sent, { typed: entries, isSpeedMoved: true }, 409);
  const following =
    (toReview ? null : next(id, answers, situation)) ?? firstIncomplete(answers, situation);
  return goTo(following.url, headers);
}

/** The question whether the address that this step took was mistyped, as a problem of its field. */
function askEmail(id: StepId, entries: Typed): Problem[] {
  if (!stepOf(id).fields.includes('email')) return [];
  const { ask } = settleEmail(entries.email ?? '', entries[EMAIL_ANSWER] ?? '');
  return ask === null ? [] : [{ field: 'email', code: 'mistyped', suggestion: ask }];
}

export const stay = ({ headers }: SentStep, answer: StepAnswer, status: number) =>
  data(answer, { status, headers });

async function sendLater(sent: SentStep, address: string) {
  const { draft, platform, language, form, entries, headers } = sent;
  const typed = textOf(form, 'saveEmail', 300);
  const settled = settleEmail(typed, textOf(form, SAVE_ANSWER, 300));
  const read = z.safeParse(email(), settled.email);
  if (!read.success || !draft) {
    const code = typed.trim() === '' ? 'required' : 'invalid';
    return stay(sent, { typed: entries, later: { email: typed, code } }, 422);
  }
  if (settled.ask !== null) {
    const later = { email: typed, code: 'mistyped', suggestion: settled.ask } as const;
    return stay(sent, { typed: entries, later }, 422);
  }
  const made = await sendResumeLink(platform, {
    draftId: draft.id,
    email: read.data,
    language,
    address,
  });
  if (!made.ok) {
    return stay(sent, { typed: entries, later: { email: typed, code: made.error } }, 429);
  }
  return goTo('/application/saved', headers);
}
