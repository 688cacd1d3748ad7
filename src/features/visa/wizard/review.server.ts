import { data, redirect } from 'react-router';
import { parseMoney, type Money } from '~/base/money.ts';
import {
  applicationByNumber,
  applicationsByOrder,
  type Application,
} from '~/features/application/store.server.ts';
import { travellerInsurance } from '~/features/application/travellers.ts';
import { writePhone } from '~/features/application/read-phone.server.ts';
import { askBeforeChange } from '~/features/order/payer/change-order.server.ts';
import { ensureSession } from '~/features/order/payer/session.server.ts';
import { orderByApplication } from '~/features/order/store.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { alternativeProvider, waysToPay } from '~/features/order/fallback-provider.ts';
import { offeredProviders } from '~/features/payment/providers/outage.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { readSavedAddress } from '~/features/form/save-sent.server.ts';
import { noDraftCookie, type Draft } from '~/features/form/draft/draft.server.ts';
import { startParty } from '~/features/form/draft/party.server.ts';
import { boundedText } from '~/features/form/answers/controls.ts';
import { openVisaDraft, visaDrafts, addCompanion } from '../store/draft.server.ts';
import { findChangeable } from '~/features/application/reopened.server.ts';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import type { PaymentStart } from '~/features/order/payment-start.ts';
import type { StepAnswer } from '../parts/step-view.ts';
import { check } from '../rules/check.ts';
import {
  quoteInsurance,
  readChoice,
  type InsuranceQuote,
  toVisaInput,
} from '../purchase/submit.server.ts';
import { travellerUrl, TRAVELLERS_PAGE } from '../party.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { differentZoneCountry } from '../passport-reader/differences.ts';
import { ZONE } from '../rules/typed.ts';
import { stepById } from '../rules/steps.ts';
import { openSubmitted, startSubmittedPayment } from './pay-submitted.server.ts';
import { submitDraft } from './submit-draft.server.ts';
import { isForOther } from '../rules/other-nationality.ts';
import {
  answerStep,
  GONE_PAGE,
  redirectToPage,
  openStep,
  receiveStep,
  stepView,
  type OpenedStep,
  type StepArgs,
} from './wizard.server.ts';

/** The answers to check, or, once they are submitted, the unpaid order. */
export async function openReview(args: StepArgs) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const draft = await openVisaDraft(platform, request);
  if (draft?.applicationNumber) return openSubmitted(args, draft.applicationNumber);
  const opened = await openStep('review', args, {}, draft);
  const view = stepView('review', opened);
  const changing = await changingNow(args, opened);
  const quoted = await quoteOpened(opened, changing?.choice ?? '');
  const isPlanGone = changing?.choice != null && quoted.choice === null;
  const { answers: given } = opened;
  const phoneCountry = given.phoneCountry ?? given.countryId ?? '';
  const answers = { ...given, phone: writePhone(given.phone ?? '', phoneCountry) };
  const other = differentZoneCountry(opened.draft?.content.typed[ZONE], given.countryId ?? '');
  const passportOf = other === null ? null : placeName(other, opened.language);
  const { authoritiesCharge } = platform.config.operator;
  const { providers } = context.get(paymentsContext);
  const shown = { ...view, answers };
  return {
    kind: 'answers' as const,
    view: shown,
    quoted,
    isPlanGone,
    passportOf,
    authoritiesCharge,
    ways: waysToPay(providers),
    other: alternativeProvider(await offeredProviders(platform, providers)),
  };
}

export type ReviewAnswer = StepAnswer & {
  payment?: PaymentStart;
  /** What the page's choice costs now. */
  quoted?: InsuranceQuote;
  /** Set where it differs from the page: price or choice changed. */
  newTotal?: Money;
  /** The total on the page. */
  oldTotal?: Money | null;
  isOtherChoice?: boolean;
  /** The chosen insurance is no longer on offer. */
  isPlanGone?: boolean;
};

export async function handleReviewSubmit(args: StepArgs) {
  const form = await readForm(args);
  const intent = form.get('intent');
  if (intent === 'another') {
    return redirectToPage(
      '/application',
      new Headers(cookieHeader(noDraftCookie(visaDrafts, args.context.get(platformContext)))),
    );
  }
  if (intent === 'add') return addAnother(args);
  if (intent === 'confirm') return redirectToPage(TRAVELLERS_PAGE, new Headers());
  if (intent === 'previous' || intent === 'later') {
    return answerStep('review', args, await receiveStep('review', args, form));
  }
  if (intent === 'quote') {
    const draft = await openVisaDraft(args.context.get(platformContext), args.request);
    if (draft && isForOther(boundedText(form, 'page', 64), draft.content.typed.countryId)) {
      return answerStep('review', args, await receiveStep('review', args, form, {}, draft));
    }
    const opened = await openStep('review', args, {}, draft);
    return data<ReviewAnswer>({ quoted: await quoteOpened(opened, choiceIn(form)) });
  }
  return submitAndPay(args, form);
}

/** Starts a party with a second traveller, who begins with the same journey. */
async function addAnother({ request, context }: StepArgs) {
  const platform = context.get(platformContext);
  const draft = await openVisaDraft(platform, request);
  const begun = draft && (await startParty(platform, draft));
  if (!begun?.party) return redirectToPage(stepById('review').url, new Headers());
  const added = await addCompanion(platform, begun.party.id, context.get(languageContext));
  return added.ok
    ? redirectToPage(
        travellerUrl(stepById('nationality').url, { position: added.value }),
        new Headers(),
      )
    : redirectToPage(TRAVELLERS_PAGE, new Headers());
}

const choiceIn = (form: FormData): string => boundedText(form, 'insurance', 60);

/** What the answers cost, with the chosen insurance. */
async function quoteOpened(opened: OpenedStep, choice: string) {
  const { platform, answers, checkContext } = opened;
  const { values } = check(answers, checkContext);
  const settings = await currentSettings(platform.db);
  const input = toVisaInput(values, checkContext);
  const sale = { db: platform.db, settings, now: checkContext.now };
  return quoteInsurance(sale, await mayInsure(platform, opened.draft), input, choice);
}

/** Whether an insurance can be chosen; for an order that was placed, only where it has one. */
async function mayInsure(platform: Platform, draft: Draft | null): Promise<boolean> {
  // For several travellers it is chosen on the page that lists them.
  if (draft?.party) return false;
  return !draft?.changing || (await besideOf(platform, draft.changing)) !== null;
}

/** The insurance of the same traveller in an application's order. */
async function besideOf(platform: Platform, number: string): Promise<Application | null> {
  const known = await applicationByNumber(platform.db, number);
  if (!known) return null;
  return travellerInsurance(await applicationsByOrder(platform.db, known.orderNumber), known);
}

/** The insurance of an order that is being changed; redirects where the order cannot be changed any more. */
async function changingNow(
  { request, context }: StepArgs,
  { draft }: OpenedStep,
): Promise<{ choice: string | null } | null> {
  if (!draft?.changing) return null;
  const platform = context.get(platformContext);
  const found = await findChangeable(platform, request, draft.changing, 'visa');
  if (!found.ok) throw redirect(`/application/change?ref=${draft.changing}`);
  return { choice: (await besideOf(platform, draft.changing))?.service ?? null };
}

/** Submits what is not submitted yet, then starts the payment; both may be repeated. */
async function submitAndPay({ request, context }: StepArgs, form: FormData) {
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const draft = await openVisaDraft(platform, request);
  if (!draft) return redirectToPage(GONE_PAGE, new Headers());

  const session = ensureSession(platform, request);
  const headers = new Headers(cookieHeader(session.setCookie));
  const shown = form.get('totalAmount');
  if (draft.changing) {
    const order = await orderByApplication(platform.db, draft.changing);
    // Asked first, so that somebody who has just paid does not pay twice.
    if (order) await askBeforeChange(platform, context.get(paymentsContext), order.number);
  }
  if (draft.party) return redirectToPage(TRAVELLERS_PAGE, headers);
  const submitted = await submitDraft(platform, draft, {
    language,
    sessionHash: session.hash,
    totalShown: typeof shown === 'string' ? shown : null,
    choice: choiceIn(form),
    mayInsure: await mayInsure(platform, draft),
    page: boundedText(form, 'page', 64),
  });
  if (submitted.kind === 'over') return redirectToPage('/application', headers);
  if (submitted.kind === 'incomplete') return redirectToPage(submitted.url, headers);
  if (submitted.kind === 'unchangeable') {
    return redirectToPage(`/application/change?ref=${submitted.applicationNumber}`, headers);
  }
  if (submitted.kind === 'wrong_total') {
    const { quoted } = submitted;
    const isOtherChoice =
      readChoice(choiceIn(form)) !== readChoice(boundedText(form, 'insuranceShown', 60));
    const oldTotal = typeof shown === 'string' ? parseMoney(shown) : null;
    const isPlanGone = quoted.choice === null && readChoice(choiceIn(form)) !== null;
    const answer = {
      quoted,
      newTotal: quoted.total,
      oldTotal,
      isOtherChoice,
      isPlanGone,
      beside: readSavedAddress(form),
    };
    return data<ReviewAnswer>(answer, { status: 409, headers });
  }

  return startSubmittedPayment({ request, context }, form, { ...submitted, session, headers });
}
