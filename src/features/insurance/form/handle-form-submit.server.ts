import { data, redirect } from 'react-router';
import { sameMoney } from '~/base/money.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { boundedText, type TypedAnswers } from '~/features/form/answers/controls.ts';
import type { StepSubmission } from '~/features/form/draft/draft-content.ts';
import { lockDraft, prolongDrafts, type Draft } from '~/features/form/draft/draft.server.ts';
import { readPosition, TRAVELLERS_PAGE, travellerUrl } from '~/features/form/draft/party.ts';
import { withCountryCode } from '~/features/application/read-phone.server.ts';
import {
  askEmail,
  saveSent,
  readPageState,
  withChosenEmail,
  readSavedAddress,
  sendLink,
  formRefusalStatus,
} from '~/features/form/save-sent.server.ts';
import { currentInsuranceCheckContext } from '../purchase/check-insurance.server.ts';
import { check, type InsuranceProblem } from '../rules/check.ts';
import { REMOVE_PHOTO } from '../rules/parent-id-photos.ts';
import { insuranceDraftsAt, openInsuranceDraft, STEP } from '../store/draft.server.ts';
import type { InsuranceAnswer } from './form-view.ts';
import { addPhotos, formPhotos, removePhotos, readFormUploads } from './draft-photos.server.ts';
import { PLAN_BEFORE, type FormArgs } from './open-form.server.ts';
import {
  resolvePlan,
  type ResolvedPlan,
  priceShown,
  SHOWN_PRICES,
  readInsuranceAnswers,
  readTyped,
} from '../rules/typed.ts';
import { plansOnSale } from '../store/plan-store.server.ts';
import { planNamed } from '../rules/plans.ts';

/**
 * Stores what the form sent, valid or not, then does what its button says: removes a photo, stores the chosen ones,
 * shows the plans for the dates, shows the page in another language, sends a link, or goes on to the review. Problems
 * keep the page open; no answer or photo is lost.
 */
export async function handleFormSubmit(args: FormArgs) {
  const { context } = args;
  const platform = context.get(platformContext);
  const form = await readForm(args);
  const intent = boundedText(form, 'intent', 300) || 'next';
  // While nothing is on sale the page has no questions, so there is nothing to store.
  if (intent === SWITCH_LANGUAGE && !form.has('lastName')) return stay(args, '', new Headers());
  const sold = await plansOnSale(platform.db, platform.now());
  const typed = withChosenEmail(readTyped(form));
  const settled = resolvePlan(
    isNext(intent) ? withCountryCode(typed, typed.nationality) : typed,
    sold,
  );
  const kept = await saveForm(args, form, {
    typed: settled.typed,
    by: isNext(intent) ? 'next' : 'button',
  });
  const { draft, headers, replaced, isGone } = kept;
  const sent: Sent = {
    ...settled,
    draft,
    headers,
    wrong: [],
    asked: askEmail(typed),
    beside: readSavedAddress(form),
  };

  if (intent.startsWith(REMOVE_PHOTO)) {
    await removePhotos(platform, draft.id, intent.slice(REMOVE_PHOTO.length));
    return stay(args, '#parentIdPhotos', headers);
  }
  const lock = async (tx: Transaction) =>
    (await lockDraft(tx, platform, draft.id))?.applicationNumber === null;
  const adding = { draft, address: context.get(addressContext), lock };
  sent.wrong = await addPhotos(platform, adding, await readFormUploads(form));
  if (intent === 'photos') {
    return refuse(platform, sent, { problems: sent.wrong.slice(0, 1) }, 200);
  }
  // What is lost with the draft, its photos, is asked for again before anything goes on.
  if (isGone) {
    return refuse(platform, sent, { isGone, problems: sent.wrong.slice(0, 1) }, 409);
  }
  if (sent.wrong.length === 0) {
    // Answers of another tab were replaced: the page shows them, and continues at the next press.
    if (Object.keys(replaced).length > 0) return refuse(platform, sent, { replaced }, 409);
    if (intent === SWITCH_LANGUAGE) return stay(args, '', headers);
    if (intent === 'later') return sendLater(args, form, sent);
    if (intent === 'quote') {
      const { moved } = settled;
      const place = moved ? `?${PLAN_BEFORE}=${moved.from.id}#travelDate` : '#productId';
      return stay(args, place, headers);
    }
  }
  return goOn(args, form, sent);
}

type Sent = ResolvedPlan & {
  draft: Draft;
  headers: Headers;
  /** The problems of the photos just sent. */
  wrong: readonly InsuranceProblem[];
  /** The open question whether the email address was mistyped. */
  asked: readonly InsuranceProblem[];
  /** What is shown again without being stored. */
  beside: TypedAnswers;
};

const isNext = (intent: string) => intent === 'next' || intent === 'pay';

/**
 * Stores a page's answers in this browser's draft.
 * @throws A redirect to the payment where it was submitted and is unpaid.
 */
export async function saveForm(
  { request, context }: FormArgs,
  form: FormData,
  { typed, by }: { typed: TypedAnswers; by: StepSubmission['by'] },
) {
  const platform = context.get(platformContext);
  const saved = await saveSent(
    insuranceDraftsAt(request),
    { platform, request, language: context.get(languageContext) },
    await openInsuranceDraft(platform, request),
    async () => ({ step: STEP, entries: typed, ...readPageState(form), by }),
  );
  if (saved.draft.party) await prolongDrafts(platform.db, platform, saved.draft);
  return saved;
}

/** The same page again, scrolled to the section of the button. */
function stay({ request }: FormArgs, place: string, headers: Headers): Response {
  const { pathname, searchParams } = new URL(request.url);
  const page = pathname.includes('/insurance-simple') ? '/insurance-simple' : '/insurance';
  const position = readPosition(searchParams);
  const url = travellerUrl(page + place, position === null ? null : { position });
  return redirect(url, { status: 303, headers });
}

/** The page with the answers as sent, and the problems. */
async function refuse(
  platform: Platform,
  { typed, draft, headers, beside }: Sent,
  answer: InsuranceAnswer,
  status: number,
) {
  const photos = await formPhotos(platform, draft);
  return data<InsuranceAnswer>({ typed, photos, beside, ...answer }, { status, headers });
}

/** Goes on to the review, where every answer is valid and the page has shown the price. */
async function goOn({ context }: FormArgs, form: FormData, sent: Sent) {
  const platform = context.get(platformContext);
  const { typed, moved, draft, wrong, asked, headers } = sent;
  const photos = await formPhotos(platform, draft);
  // A refused photo is reported together with the other problems, because the traveller thinks it was sent.
  const checkContext = await currentInsuranceCheckContext(
    platform,
    // Those of a party come with all its travellers.
    draft.party ? 1 : photos.length + wrong.length,
  );
  const problems = [
    ...check(readInsuranceAnswers(typed), checkContext).problems,
    ...asked,
    ...wrong.slice(0, 1),
  ];
  const shown = priceShown(boundedText(form, SHOWN_PRICES, 2000), typed.productId ?? '');
  const due = planNamed(checkContext.plans, typed.productId ?? '')?.price ?? null;
  const isOther = shown !== null && due !== null && !sameMoney(shown, due);
  if (problems.length === 0 && !moved && !isOther) {
    return redirect(draft.party ? TRAVELLERS_PAGE : '/insurance/review', { status: 303, headers });
  }
  return refuse(
    platform,
    sent,
    {
      problems,
      ...(moved && { planMoved: moved }),
      ...(isOther && { priceChange: { before: shown, now: due } }),
    },
    problems.some(({ code }) => code === 'busy') ? 503 : problems.length > 0 ? 422 : 409,
  );
}

async function sendLater(args: FormArgs, form: FormData, sent: Sent) {
  const later = await sendLink(insuranceDraftsAt(args.request), args, form, sent.draft);
  const saved = sent.draft.party ? '/application/saved' : '/insurance/saved';
  if (!later) return redirect(saved, { status: 303, headers: sent.headers });
  const platform = args.context.get(platformContext);
  return refuse(platform, sent, { later }, formRefusalStatus(later));
}
