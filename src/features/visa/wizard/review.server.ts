import { sameMoney, toDecimal, parseMoney, type Money } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
import { applicationAmount, placeOrder } from '~/features/application/place-order.server.ts';
import { readPhone, writePhone } from '~/features/application/read-phone.server.ts';
import { applyChange, findChangeable } from '~/features/application/reopened.server.ts';
import { deleteApplications } from '~/features/application/delete-expired.server.ts';
import {
  changeApplication,
  applicationByNumber,
  applicationsByOrder,
  type Application,
} from '~/features/application/store.server.ts';
import { travellerInsurance } from '~/features/application/travellers.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import {
  closeDraft,
  closeDraftSql,
  endDraftLinks,
  lockDraft,
  rereadDraft,
  type Draft,
  noDraftCookie,
} from '~/features/form/draft/draft.server.ts';
import { insuranceBesideVisa } from '~/features/insurance/beside-visa.ts';
import { replaceAnswers } from '~/features/insurance/purchase/submit.server.ts';
import type { Plan } from '~/features/insurance/rules/plans.ts';
import { deleteInsuranceDetails, lockInsurances } from '~/features/insurance/store/store.server.ts';
import { type Order, orderByApplication } from '~/features/order/store.server.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import {
  currentSettings,
  invalidateSettings,
  areSettingsCurrent,
} from '~/features/settings/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { check } from '../rules/check.ts';
import { visaPricesInForce, replaceVisaDetails } from '../store/store.server.ts';
import { firstIncomplete } from '../rules/checked-journey.ts';
import {
  quotedPlan,
  quoteInsurance,
  readChoice,
  type InsuranceQuote,
  type Sale,
  toVisaDetails,
  requireValue,
  toVisaInput,
  orderedTraveller,
  orderedVisa,
  visaTraveller,
  type VisaInput,
} from '../purchase/submit.server.ts';
import { parseZone } from '../passport-reader/zone.ts';
import { stepById } from '../rules/steps.ts';
import { readVisaAnswers, ZONE } from '../rules/typed.ts';
import { isForOther } from '../rules/other-nationality.ts';
import { TRAVELLERS_PAGE, travellerUrl } from '~/features/form/draft/party.ts';
import {
  findChosenCountry,
  otherNationalityUrl,
  answerStep,
  GONE_PAGE,
  redirectToPage,
  openStep,
  receiveStep,
  stepView,
  type OpenedStep,
  type StepArgs,
} from './wizard.server.ts';
import { data, redirect } from 'react-router';
import { askBeforeChange } from '~/features/order/payer/change-order.server.ts';
import { ensureSession } from '~/features/order/payer/session.server.ts';
import { alternativeProvider, waysToPay } from '~/features/order/fallback-provider.ts';
import { offeredProviders } from '~/features/payment/providers/outage.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { readSavedAddress } from '~/features/form/save-sent.server.ts';
import { startParty } from '~/features/form/draft/party.server.ts';
import { boundedText } from '~/features/form/answers/controls.ts';
import { openVisaDraft, visaDrafts, addCompanion } from '../store/draft.server.ts';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import type { PaymentStart } from '~/features/order/payment-start.ts';
import type { StepAnswer } from '../parts/step-view.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { differentZoneCountry } from '../passport-reader/differences.ts';
import { openSubmitted, startSubmittedPayment } from './pay-submitted.server.ts';

export type SubmittedDraft =
  /** `order`: set where it was just placed. */
  | { kind: 'submitted'; applicationNumber: string; order: Order | null }
  /** Nothing was stored: an answer is missing or no longer valid, or the page showed another nationality. */
  | { kind: 'incomplete'; url: string }
  /** Nothing was stored: the amount due differs from the one on the page. */
  | { kind: 'wrong_total'; quoted: InsuranceQuote }
  /** The application that was opened again can no longer be changed, or not by this browser; nothing was stored. */
  | { kind: 'unchangeable'; applicationNumber: string }
  | { kind: 'over' };

type DraftToSubmit = {
  language: Language;
  sessionHash: Buffer;
  totalShown: string | null;
  /** The insurance, as the page sends it: the id of an offered plan, or nothing. */
  choice: string;
  /** Whether an insurance may be chosen. */
  mayInsure: boolean;
  /** The page's id; it must have shown the nationality that is submitted. */
  page?: string;
};

/** Retries when draft or settings change meanwhile. */
const MAX_TRIES = 100;

/**
 * Makes an application and its order from a draft, once: stored only where the draft has the version that was read, and
 * the draft remembers the number, so that a second click, a retry and another tab find the same application. The draft
 * is this form's idempotency key.
 */
export async function submitDraft(
  platform: Platform,
  read: Draft,
  sent: DraftToSubmit,
): Promise<SubmittedDraft> {
  let draft: Draft | null = read;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    if (!draft) return { kind: 'over' };
    // Several travellers are paid for together.
    if (draft.party) return { kind: 'incomplete', url: TRAVELLERS_PAGE };
    if (draft.applicationNumber) {
      return { kind: 'submitted', applicationNumber: draft.applicationNumber, order: null };
    }
    const done = await submitAsRead(platform, draft, sent);
    if (done) return done;
    invalidateSettings(platform.db);
    draft = await rereadDraft(platform, draft.id);
  }
  throw new Error('The draft, or the settings, change all the time');
}

/** Returns null and stores nothing where draft or settings have changed since they were read. */
async function submitAsRead(
  platform: Platform,
  draft: Draft,
  { language, sessionHash, totalShown, choice, mayInsure, page = '' }: DraftToSubmit,
): Promise<SubmittedDraft | null> {
  const { db, sealer } = platform;
  const countries = await allCountries(platform);
  const sale: Sale = { db, settings: await currentSettings(db), now: platform.now() };
  const answers = readVisaAnswers(draft.content.typed);
  const country = findChosenCountry(countries, answers.countryId, language);
  const checkContext = {
    now: sale.now,
    country,
    office: officeInForce(sale.settings, sale.now),
    readPhone,
  };
  if (isForOther(page, answers.countryId)) {
    return {
      kind: 'incomplete',
      url: otherNationalityUrl('review', { answers, checkContext, draft }),
    };
  }
  const { problems, values } = check(answers, checkContext);
  if (problems.length > 0)
    return { kind: 'incomplete', url: firstIncomplete(answers, checkContext).url };
  const input = toVisaInput(values, checkContext, parseZone(draft.content.typed[ZONE]));
  const quoted = await quoteInsurance(sale, mayInsure, input, choice);
  // Only the review page sends the total that was agreed to: show it first.
  if (draft.changing !== null && totalShown === null) {
    return { kind: 'incomplete', url: stepById('review').url };
  }
  const isShown = totalShown === null || totalShown === toDecimal(quoted.total);
  if (!isShown || quoted.choice !== readChoice(choice)) return { kind: 'wrong_total', quoted };
  if (draft.changing !== null) {
    const plan = mayInsure ? quotedPlan(quoted) : undefined;
    return change(platform, draft, draft.changing, {
      input,
      sale,
      quoted,
      plan,
      language,
      sessionHash,
    });
  }
  const { settings, now } = sale;
  const about = { prices: visaPricesInForce(settings, now), terms: quoted.offer?.terms ?? null };
  const placed = await placeOrder(
    db,
    [orderedTraveller(sealer, input, quotedPlan(quoted), about)],
    {
      language,
      sessionHash,
      now,
      settings,
      only: (number, and) => closeDraftSql(platform, draft, number, and),
    },
  );
  if (!placed) return null;
  const [{ number }] = placed.applications;
  return { kind: 'submitted', applicationNumber: number, order: placed.order };
}

type ToChange = Pick<DraftToSubmit, 'language' | 'sessionHash'> & {
  input: VisaInput;
  sale: Sale;
  quoted: InsuranceQuote;
  /** The insurance in the order: a plan on sale, or none; undefined where there is nothing to choose. */
  plan: Plan | null | undefined;
};

/** Stores the answers in the application that was opened again. Null where something has changed meanwhile. */
function change(
  platform: Platform,
  draft: Draft,
  applicationNumber: string,
  { input, sale: { settings, now }, quoted, plan, language, sessionHash }: ToChange,
): Promise<SubmittedDraft | null> {
  const { sealer } = platform;
  return platform.db.transaction(async (tx) => {
    const held = await lockDraft(tx, platform, draft.id);
    if (held?.version !== draft.version || !(await areSettingsCurrent(tx, settings))) return null;
    const visa = orderedVisa(sealer, input, visaPricesInForce(settings, now));
    const { person } = visa;
    const { minor: amountMinor, currency } = applicationAmount(visa);
    const made = await applyChange(tx, {
      number: applicationNumber,
      person,
      language,
      sessionHash,
      now,
      lockInsurances,
      async store(application, together) {
        const columns = { ...person, language, amountMinor, currency };
        await changeApplication(tx, application.id, columns, now);
        await replaceVisaDetails(tx, sealer, toVisaDetails(input, application.id));
        const lines = visa.lines.map((line) => ({ ...line, applicationNumber }));
        const beside = plan === undefined ? null : travellerInsurance(together, application);
        if (!beside) return { lines, numbers: [applicationNumber] };
        const numbers = [applicationNumber, beside.number];
        if (!plan) {
          // It was never paid, and nothing of it is kept. Minors have none beside a visa, so it has no photo of a
          // parent's ID.
          await deleteApplications(tx, [beside.id], deleteInsuranceDetails);
          return { lines, numbers };
        }
        const arrivalDate = requireValue(input.values)('arrivalDate');
        const insurance = insuranceBesideVisa(plan, visaTraveller(input), arrivalDate);
        const about = { language, now };
        lines.push(...(await replaceAnswers(tx, sealer, beside.id, insurance, about)));
        return { lines, numbers };
      },
    });
    if (!made.ok) return { kind: 'unchangeable', applicationNumber };
    if (!sameMoney(made.value.totalAmount, quoted.total)) {
      throw new Error('The price changed meanwhile');
    }
    if (made.value.hasMoved) await endDraftLinks(tx, draft.id);
    await closeDraft(tx, platform, draft, applicationNumber);
    return { kind: 'submitted', applicationNumber, order: null };
  });
}

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
