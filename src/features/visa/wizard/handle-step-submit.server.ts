import { data } from 'react-router';
import {
  askEmail,
  addressBeside,
  sendLink,
  statusOfRefusal,
} from '~/features/form/save-sent.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { firstIncomplete, next, problemsAt } from '../rules/checked-journey.ts';
import { previous } from '../rules/journey.ts';
import { forTraveller } from '../party.ts';
import { shareArrival, visaDrafts } from '../store/draft.server.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { linesBeside } from '../passport-reader/sent-lines.ts';
import { confirmationOf, otherCountryIn } from '../passport-reader/differences.ts';
import { parseZone, READ_LINES } from '../passport-reader/zone.ts';
import type { Problem } from '../rules/rule.ts';
import { NATIONALITY_CONFIRMED, ZONE } from '../rules/typed.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import type { StepAnswer } from '../parts/step-view.ts';
import { stepOf, leadsToReview } from '../rules/steps.ts';
import type { StepId } from '../rules/step-ids.ts';
import { goTo, leadToOther, receiveStep, type SentStep, type StepArgs } from './wizard.server.ts';

/**
 * Stores a step's answers and goes on, back, to the same page in another language or to the email with the link; with
 * problems the page stays.
 */
export async function handleStepSubmit(id: StepId, args: StepArgs) {
  const sent = await receiveStep(id, args, await readForm(args));
  return answerStep(id, args, sent);
}

export async function answerStep(id: StepId, args: StepArgs, sent: SentStep) {
  const { request } = args;
  const { intent, headers, country, replaced, entries, draft } = sent;
  const at = (url: string) => forTraveller(url, draft.party);
  // Everything typed is stored; the page names the present nationality and must be sent again.
  if (sent.isNationalityOther) return goTo(leadToOther(id, sent), headers);
  // Answers of another tab were replaced: the page shows them, and continues at the next press.
  if (intent !== 'next' && Object.keys(replaced).length > 0) {
    return stay(sent, { typed: entries, replaced }, 409);
  }
  if (intent === 'previous') {
    return goTo(at((previous(id, country, sent.answers) ?? stepOf('nationality')).url), headers);
  }
  if (intent === SWITCH_LANGUAGE) return goTo(at(stepOf(id).url), headers);
  if (intent === READ_LINES) {
    const refused = sent.lines?.refused ?? null;
    return stay(sent, { typed: entries, ...(refused && { lines: refused }) }, refused ? 422 : 200);
  }
  if (intent === 'later') return sendLater(args, sent);
  const answer = goOn(id, sent, leadsToReview(new URL(request.url).searchParams));
  if (id === 'arrival' && answer instanceof Response) {
    await shareArrival(sent.platform, request, draft, sent.language);
  }
  return answer;
}

/**
 * To the next step, or back to the review page where the step was opened from there and nothing else is missing
 * (another nationality asks more questions).
 */
function goOn(id: StepId, sent: SentStep, toReview = false) {
  const { answers, checkContext, headers, replaced, entries, movedFrom, draft } = sent;
  const problems = [
    ...problemsAt(id, answers, checkContext),
    ...askEmail(entries),
    ...askNationality(entries, sent),
  ];
  if (problems.length > 0) return stay(sent, { typed: entries, problems, replaced }, 422);
  if (Object.keys(replaced).length > 0) return stay(sent, { typed: entries, replaced }, 409);
  // Another speed has another price, which is shown first.
  if (movedFrom) return stay(sent, { typed: entries, isSpeedMoved: true }, 409);
  const following =
    (toReview ? null : next(id, answers, checkContext)) ?? firstIncomplete(answers, checkContext);
  return goTo(forTraveller(following.url, draft.party), headers);
}

/** The open question whether the chosen nationality is that of the passport whose lines were read. */
function askNationality(
  { [ZONE]: written, [NATIONALITY_CONFIRMED]: confirmed }: Typed,
  { answers: { countryId = '' }, language }: SentStep,
): Problem[] {
  const zone = parseZone(written);
  const other = otherCountryIn(written, countryId);
  if (!zone || other === null || confirmed === confirmationOf(zone, countryId)) return [];
  const name = placeName(other, language);
  return [{ field: 'passportNumber', code: 'other_nationality', name }];
}

function stay({ headers, form, lines }: SentStep, answer: StepAnswer, status: number) {
  // Lines that were read are not shown again: they hold more than the form asks.
  const isRead = lines !== null && lines.refused === null;
  const beside = isRead ? addressBeside(form) : typedBeside(form);
  return data<StepAnswer>({ ...answer, beside }, { status, headers });
}

/** What a page's form holds beside its answers. */
export const typedBeside = (form: FormData): Typed => ({
  ...addressBeside(form),
  ...linesBeside(form),
});

async function sendLater(args: StepArgs, sent: SentStep) {
  const { draft, form, entries, headers } = sent;
  const later = await sendLink(visaDrafts, args, form, draft);
  if (later) return stay(sent, { typed: entries, later }, statusOfRefusal(later));
  return goTo('/application/saved', headers);
}
