import { randomUUID } from 'node:crypto';
import { data } from 'react-router';
import { add, parseMoney, usd, type Money } from '~/base/money.ts';
import { termsPath } from '~/features/application/cover-table.tsx';
import { boundedText } from '~/features/form/answers/controls.ts';
import type { PartyPlace } from '~/features/form/draft/draft-content.ts';
import { noDraftCookie, saveDraft, type Draft } from '~/features/form/draft/draft.server.ts';
import {
  lockParty,
  partyMembers,
  removeTraveller,
  type PartyMember,
} from '~/features/form/draft/party.server.ts';
import { readSavedAddress, sendLink, formRefusalStatus } from '~/features/form/save-sent.server.ts';
import {
  collectPhotos,
  formPhotos,
  removePhotos,
  readFormUploads,
} from '~/features/insurance/form/draft-photos.server.ts';
import type { InsuranceProblem } from '~/features/insurance/rules/check.ts';
import { REMOVE_PHOTO } from '~/features/insurance/rules/parent-id-photos.ts';
import { alternativeProvider, waysToPay } from '~/features/order/fallback-provider.ts';
import { offeredProviders } from '~/features/payment/providers/outage.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { ensureSession } from '~/features/order/payer/session.server.ts';
import { firstIncomplete } from '~/features/visa/rules/checked-journey.ts';
import { travellerUrl, TRAVELLERS_PAGE } from '~/features/form/draft/party.ts';
import { quoteVisa } from '~/features/visa/rules/price-list.ts';
import { previewPromise } from '~/features/visa/rules/ready-by.ts';
import { pricePath } from '~/features/visa/rules/answers.ts';
import { stepById } from '~/features/visa/rules/steps.ts';
import { openPartyDraft, visaDrafts, addCompanion } from '~/features/visa/store/draft.server.ts';
import { visaPricesInForce } from '~/features/visa/store/store.server.ts';
import { readLeftOut } from '~/features/visa/wizard/nationality.server.ts';
import {
  openSubmitted,
  startSubmittedPayment,
} from '~/features/visa/wizard/pay-submitted.server.ts';
import { redirectToPage, draftPage, type StepArgs } from '~/features/visa/wizard/wizard.server.ts';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { isChild } from './check-group.ts';
import {
  planEntry,
  currentParty,
  isForVisa,
  storedPlan,
  readPlans,
  type CurrentParty,
} from './party-now.server.ts';
import { submitParty } from './submit-party.server.ts';
import {
  type TravellersAnswer,
  type TravellersView,
  type TravellerView,
} from './travellers-view.ts';
import { fullName } from '~/features/application/full-name.ts';

type InParty = Draft & { party: PartyPlace };

/**
 * This browser's draft, where it is in a party. It is not read again: between two readings another press may have
 * submitted it.
 * @throws A redirect to where any other draft goes on.
 */
async function inParty({ context }: StepArgs, draft: Draft | null): Promise<InParty> {
  if (!draft) throw redirectToPage(stepById('nationality').url, new Headers());
  const { party } = draft;
  if (party) return { ...draft, party };
  const platform = context.get(platformContext);
  throw redirectToPage(
    await draftPage(platform, draft, context.get(languageContext)),
    new Headers(),
  );
}

/** The travellers with what is missing and the total, or, once they are submitted, the unpaid order. */
export async function openTravellers(args: StepArgs) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const own = await openPartyDraft(platform, request);
  if (own?.applicationNumber) return openSubmitted(args, own.applicationNumber);
  const { party, version } = await inParty(args, own);
  const members = await partyMembers(platform, party.id);
  // Missing photos are reported at the submit.
  const now = await currentParty(platform, members, readPlans(null, members), {
    language,
    photos: 1,
  });
  const travellers = travellersIn(now);
  const view: TravellersView = {
    travellers,
    arrivalDate: now.asked.find((one) => 'answers' in one)?.answers.arrivalDate ?? null,
    office: now.office,
    insurerTerms: now.sold.terms && termsPath(now.sold.terms.version),
    plans: now.sold.plans.map(({ id, price }) => ({ id, price })),
    total: totalOf(now, travellers),
    isReady: now.checked.problems.length === 0,
    photos: await formPhotos(platform, { id: party.id, changing: null }),
    leftOut: await readLeftOut(new URL(request.url).searchParams, platform, language),
    version,
    page: randomUUID(),
    now: now.now.getTime(),
  };
  const { providers } = context.get(paymentsContext);
  const offered = await offeredProviders(platform, providers);
  return {
    kind: 'travellers' as const,
    view,
    other: alternativeProvider(offered),
    ways: waysToPay(providers),
  };
}

function travellersIn({
  members,
  asked,
  checked,
  now,
  office,
  settings,
}: CurrentParty): TravellerView[] {
  const prices = visaPricesInForce(settings, now);
  return members.map((member, index): TravellerView => {
    const { party } = member;
    const one = asked[index];
    const chosen = checked.travellers[index];
    const own = checked.problems.filter(({ place }) => place.startsWith(`applications[${index}]`));
    const isIncomplete = own.some(({ texts }) => texts !== 'group');
    const insurance = {
      chosen: chosen?.plan?.id ?? null,
      isChild: chosen ? isChild(chosen) : false,
    };
    if (one && 'insured' in one) {
      const url = travellerUrl('/insurance', party);
      return {
        position: party.position,
        number: index + 1,
        kind: 'insurance',
        name: fullName(one.insured),
        country: one.country?.name ?? null,
        documentType: one.insured.documentType ?? '',
        todo: isIncomplete ? { step: 'insurance', url } : null,
        problem: own.length > 0 && !isIncomplete ? 'passportNumber.repeated' : null,
        reviewUrl: url,
        readyBy: null,
        speed: null,
        price: null,
        insurance,
      };
    }
    const { answers = {}, checkContext } = one ?? {};
    const { country = null } = checkContext ?? {};
    const step = checkContext ? firstIncomplete(answers, checkContext) : stepById('nationality');
    const beside = own.find(({ texts }) => texts === 'group');
    const path = pricePath(country, answers);
    const { processingType = '' } = answers;
    const isSpeedValid = chosen?.kind === 'visa' && chosen.values.processingType !== undefined;
    const priced = path && isSpeedValid ? quoteVisa(prices, path, processingType) : null;
    return {
      position: party.position,
      number: index + 1,
      kind: 'visa',
      name: fullName(answers),
      country: country?.name ?? null,
      documentType: answers.documentType ?? '',
      todo: isIncomplete ? { step: step.id, url: travellerUrl(step.url, party) } : null,
      problem: besideProblem(beside?.place, beside?.problem.code),
      reviewUrl: travellerUrl(
        beside?.problem.code === 'differs' ? stepById('arrival').url : stepById('review').url,
        party,
      ),
      readyBy: previewPromise(answers, country, now, office)?.getTime() ?? null,
      speed: priced?.processingType ?? null,
      price: priced?.total ?? null,
      insurance,
    };
  });
}

function besideProblem(place?: string, code?: string): TravellerView['problem'] {
  if (code === 'differs') return 'arrivalDate.differs';
  return place?.endsWith('passportNumber') && code === 'repeated'
    ? 'passportNumber.repeated'
    : null;
}

/** The total of travellers with complete answers. */
const totalOf = ({ sold }: CurrentParty, travellers: readonly TravellerView[]): Money =>
  travellers
    .filter(({ todo }) => todo === null)
    .flatMap(({ price, insurance }) => [
      ...(price ? [price] : []),
      ...sold.plans.filter(({ id }) => id === insurance.chosen).map((plan) => plan.price),
    ])
    .reduce<Money>((sum, price) => add(sum, price), usd(0));

/** Stores the chosen plans, then does what the pressed button says, so that no choice is lost on the way. */
export async function handleTravellers(args: StepArgs) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const form = await readForm(args);
  const intent = boundedText(form, 'intent', 60);
  if (intent === 'another') {
    return redirectToPage(
      stepById('nationality').url,
      new Headers(cookieHeader(noDraftCookie(visaDrafts, platform))),
    );
  }
  const own = await openPartyDraft(platform, request);
  if (own?.applicationNumber) return pay(args, form, own.applicationNumber);
  const draft = await inParty(args, own);
  const { party } = draft;
  await savePlans(args, form, await partyMembers(platform, party.id));
  if (intent.startsWith(REMOVE_PHOTO)) {
    await removePhotos(platform, party.id, intent.slice(REMOVE_PHOTO.length));
    return redirectToPage(`${TRAVELLERS_PAGE}#parentIdPhotos`, new Headers());
  }
  // Stored whatever the button does: without scripts a file chooser comes back empty.
  const wrong = await collectPhotos(
    platform,
    {
      id: party.id,
      language,
      address: context.get(addressContext),
      lock: async (tx) => (await lockParty(tx, platform, party.id)).length > 0,
    },
    await readFormUploads(form),
  );
  if (wrong.length > 0) return photoProblems(form, wrong);
  if (intent === 'add' || intent === 'insure') {
    const [form, url] =
      intent === 'add'
        ? (['visa', stepById('nationality').url] as const)
        : (['insurance', '/insurance'] as const);
    const added = await addCompanion(platform, party.id, language, form);
    return redirectToPage(
      added.ok ? travellerUrl(url, { position: added.value }) : TRAVELLERS_PAGE,
      new Headers(),
    );
  }
  const [, leaving] = /^remove:(\d{1,5})$/.exec(intent) ?? [];
  if (leaving !== undefined) {
    await removeTraveller(platform, party.id, Number(leaving));
    return redirectToPage(TRAVELLERS_PAGE, new Headers());
  }
  if (intent === 'later') {
    const refusal = await sendLink(visaDrafts, args, form, draft);
    if (!refusal) return redirectToPage('/application/saved', new Headers());
    return data<TravellersAnswer>({ later: refusal }, { status: formRefusalStatus(refusal) });
  }
  if (intent === 'pay') return submitAndPay(args, form, party.id);
  // For "quote" and another language the page is shown again with the choices.
  return redirectToPage(
    TRAVELLERS_PAGE + (intent === SWITCH_LANGUAGE ? '' : '#total'),
    new Headers(),
  );
}

/** Stores the chosen plans with the travellers they insure. */
async function savePlans(
  { request, context }: StepArgs,
  form: FormData,
  members: readonly PartyMember[],
): Promise<void> {
  const platform = context.get(platformContext);
  for (const member of members.filter(isForVisa)) {
    const chosen = readPlans(form, members).get(member.party.position) ?? '';
    if (chosen === storedPlan(member)) continue;
    const writing = {
      step: 'review' as const,
      entries: planEntry(chosen),
      page: boundedText(form, 'page', 64),
      seen: member.version,
      turn: 0,
      by: 'button' as const,
    };
    await saveDraft(visaDrafts, platform, request, member, writing, context.get(languageContext));
  }
}

/** The page again with what is wrong about the photos; those that have arrived are listed on it. */
const photoProblems = (form: FormData, problems: readonly InsuranceProblem[]) =>
  data<TravellersAnswer>(
    { problems, beside: readSavedAddress(form) },
    { status: problems.some(({ code }) => code === 'busy') ? 503 : 422 },
  );

async function submitAndPay(args: StepArgs, form: FormData, partyId: string) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const session = ensureSession(platform, request);
  const members = await partyMembers(platform, partyId);
  const shown = parseMoney(boundedText(form, 'totalAmount', 20));
  const submitted = await submitParty(platform, {
    partyId,
    language: context.get(languageContext),
    sessionHash: session.hash,
    total: shown,
    plans: readPlans(form, members),
  });
  switch (submitted.kind) {
    case 'incomplete':
    case 'over':
      // Another tab has changed something: show the page as it is now.
      return redirectToPage(TRAVELLERS_PAGE, new Headers());
    case 'photos':
      return photoProblems(form, submitted.problems);
    case 'wrong_total':
      return data<TravellersAnswer>(
        { newTotal: submitted.total, oldTotal: shown },
        { status: 409 },
      );
    case 'submitted': {
      const headers = new Headers(cookieHeader(session.setCookie));
      return startSubmittedPayment(args, form, { ...submitted, session, headers });
    }
  }
}

/** Starts the payment of a party that is submitted already: a second click, a retry, another tab. */
function pay(args: StepArgs, form: FormData, applicationNumber: string) {
  const session = ensureSession(args.context.get(platformContext), args.request);
  const headers = new Headers(cookieHeader(session.setCookie));
  return startSubmittedPayment(args, form, { applicationNumber, order: null, session, headers });
}
