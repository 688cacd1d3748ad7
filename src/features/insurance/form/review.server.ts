import { removeFilesLater } from '~/platform/files/files.server.ts';
import type { Language } from '~/base/languages.ts';
import { type Money, parseMoney } from '~/base/money.ts';
import { applyChange, findChangeable } from '~/features/application/reopened.server.ts';
import { isInsuredAlone } from '~/features/application/travellers.ts';
import { orderByApplication } from '~/features/order/store.server.ts';
import { allCountries, countryByCode } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  checkInsurance,
  type CheckedInsurance,
  currentInsuranceCheckContext,
} from '../purchase/check-insurance.server.ts';
import { placeInsurance, replaceAnswers } from '../purchase/submit.server.ts';
import {
  closeDraft,
  endDraftLinks,
  lockDraft,
  openDraft,
  type Draft,
} from '~/features/form/draft/draft.server.ts';
import { formPhotos, removePhotos } from './draft-photos.server.ts';
import { deleteSubmittedPhotos, handOverPhotos } from '../store/photo-store.server.ts';
import { lockInsurances, coverView } from '../store/store.server.ts';
import { readInsuranceAnswers } from '../rules/typed.ts';
import { isMinor } from '~/base/dates/dates.ts';
import { data, redirect } from 'react-router';
import type { CoverView } from '~/features/application/cover-table.tsx';
import { writePhone } from '~/features/application/read-phone.server.ts';
import { countryName, placeName } from '~/features/catalog/names.server.ts';
import { askBeforeChange } from '~/features/order/payer/change-order.server.ts';
import { changePath } from '~/features/order/payer/payer-links.ts';
import { ensureSession } from '~/features/order/payer/session.server.ts';
import {
  chosenProvider,
  alternativeProvider,
  waysToPay,
  type WaysToPay,
} from '~/features/order/fallback-provider.ts';
import { offeredProviders } from '~/features/payment/providers/outage.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { GONE, nextPage, sendLink, formRefusalStatus } from '~/features/form/save-sent.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import type { InsuranceAnswers } from '../rules/answers.ts';
import { termsInForce } from '../store/plan-store.server.ts';
import { check } from '../rules/check.ts';
import { insuranceDrafts } from '../store/draft.server.ts';
import type { DraftFile } from '~/features/form/draft/draft-content.ts';
import type { FormArgs } from './open-form.server.ts';
import { planNamed, type Plan } from '../rules/plans.ts';
import { giveCookie } from '~/platform/http/cookies.server.ts';
import type { LinkRefusal } from '~/features/form/draft/save-later.tsx';

export type SubmittedDraft =
  | { kind: 'made'; number: string }
  /** Nothing was stored: an answer is missing or no longer valid, or the price differs from the one shown. */
  | Exclude<CheckedInsurance, { kind: 'valid' }>
  /** The application that was opened again can no longer be changed, or not by this browser; nothing was stored. */
  | { kind: 'unchangeable'; applicationNumber: string }
  | { kind: 'over' };

/**
 * Makes an application and its order from a draft, once: the draft is locked meanwhile and remembers the number, so
 * that a second click, a retry and another tab find the same application. A change of an unpaid application is stored
 * under its existing number.
 */
export async function submitDraft(
  platform: Platform,
  draftId: string,
  {
    shown,
    language,
    sessionHash,
  }: {
    /** The price that the page showed for the chosen plan; any other is refused. Null where it showed none. */
    shown: Money | null;
    language: Language;
    sessionHash: Buffer;
  },
): Promise<SubmittedDraft> {
  const { sealer } = platform;
  const countries = await allCountries(platform);
  return platform.db.transaction(async (tx): Promise<SubmittedDraft> => {
    const draft = await lockDraft(tx, platform, draftId);
    if (!draft) return { kind: 'over' };
    if (draft.applicationNumber) return { kind: 'made', number: draft.applicationNumber };
    const photos = await formPhotos({ db: tx, sealer }, draft);
    const checked = await checkInsurance(tx, platform, {
      countries,
      answers: readInsuranceAnswers(draft.content.typed),
      total: shown,
      photos: photos.length,
    });
    if (checked.kind !== 'valid') return checked;
    const { input, now } = checked;
    const by = { language, sessionHash, now };
    let made: { id: string; number: string };
    if (draft.changing === null) {
      [made] = (await placeInsurance(tx, sealer, input, by)).applications;
    } else {
      const number = draft.changing;
      const changed = await applyChange(tx, {
        ...by,
        number,
        person: input.traveller,
        lockInsurances,
        store: async (application, together) => {
          // `findChangeable` opens no other: answers of an insurance would replace those of an e-visa.
          if (!isInsuredAlone(application, together)) throw new Error('Not an insurance alone');
          const { id } = application;
          return { lines: await replaceAnswers(tx, sealer, id, input, by), numbers: [number] };
        },
      });
      if (!changed.ok) return { kind: 'unchangeable', applicationNumber: number };
      if (changed.value.hasMoved) await endDraftLinks(tx, draft.id);
      made = { id: changed.value.id, number };
    }
    if (checked.isMinor) await handOverPhotos(tx, draftId, made.id);
    else await removeFilesLater(tx, await deleteSubmittedPhotos(tx, made.id));
    await closeDraft(tx, platform, draft, made.number);
    return { kind: 'made', number: made.number };
  });
}

export type ReviewView = {
  /** All answers, without problems. */
  answers: InsuranceAnswers;
  plan: Plan;
  nationality: string;
  destination: string;
  isMinor: boolean;
  photos: readonly DraftFile[];
  /** The terms on sale now. */
  cover: CoverView;
  /** The unpaid application that is being changed; null for a new one. */
  changing: string | null;
  /** The other way to pay. */
  other: ProviderName | null;
  ways: WaysToPay;
};

export type ReviewAnswer = {
  /** The plan's price differs from the one on the page. Nothing was stored. */
  priceChange?: { before: Money; now: Money };
  later?: LinkRefusal;
  offline?: true;
};

/** The answers to check before anything is stored; redirects to the form while answers are missing. */
export async function openReview({ request, context }: FormArgs): Promise<ReviewView> {
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const { providers } = context.get(paymentsContext);
  const draft = await ownDraft({ request, context });
  if (draft.changing !== null) {
    const found = await findChangeable(platform, request, draft.changing, 'insurance');
    if (!found.ok) throw redirect(changePath(draft.changing, draft.changing));
  }
  const answers = readInsuranceAnswers(draft.content.typed);
  const photos = await formPhotos(platform, draft);
  const checkContext = await currentInsuranceCheckContext(platform, photos.length);
  const { problems, values } = check(answers, checkContext);
  const plan = planNamed(checkContext.plans, values.productId ?? '');
  const country = values.nationality
    ? await countryByCode(platform, values.nationality)
    : undefined;
  const { dateOfBirth, travelDate } = values;
  if (problems.length > 0 || !plan || !country || !dateOfBirth || !travelDate) {
    throw redirect(formAt(problems[0]?.field));
  }
  return {
    answers: {
      ...answers,
      phone: writePhone(answers.phone ?? '', answers.phoneCountry ?? country.code),
    },
    plan,
    nationality: countryName(country, language),
    destination: placeName('TUR', language),
    isMinor: isMinor(dateOfBirth, travelDate),
    photos,
    cover: coverView(await termsInForce(platform.db, platform.now()), language),
    changing: draft.changing,
    ways: waysToPay(providers),
    other: alternativeProvider(await offeredProviders(platform, providers)),
  };
}

/** The form where it says that its draft is no longer open here. */
const GONE_PAGE = `/insurance?${GONE}=yes`;

const formAt = (field: string | undefined): string => `/insurance${field ? `#${field}` : ''}`;

/**
 * This browser's draft; redirects to the form where there is none, and to the payment or status where it was submitted.
 */
async function ownDraft({ request, context }: FormArgs): Promise<Draft> {
  const platform = context.get(platformContext);
  const draft = await openDraft(insuranceDrafts, platform, request);
  if (!draft) throw redirect(request.method === 'POST' ? GONE_PAGE : '/insurance', { status: 303 });
  if (draft.applicationNumber) {
    const next = await nextPage(insuranceDrafts, platform, draft.applicationNumber);
    throw redirect(next.url, { status: 303 });
  }
  return draft;
}

/** Stores the application and redirects to its payment; other buttons go back, or send a link. */
export async function handleReviewSubmit(args: FormArgs) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const form = await readForm(args);
  const intent = form.get('intent');
  if (intent === 'previous') return redirect('/insurance', { status: 303 });
  if (intent === SWITCH_LANGUAGE) return redirect('/insurance/review', { status: 303 });
  const draft = await ownDraft(args);
  const headers = new Headers();
  if (intent === 'later') {
    const later = await sendLink(insuranceDrafts, args, form, draft);
    if (!later) return redirect('/insurance/saved', { status: 303 });
    const status = formRefusalStatus(later);
    return data<ReviewAnswer>({ later }, { status });
  }

  const session = ensureSession(platform, request);
  giveCookie(headers, session.setCookie);
  const written = form.get('totalAmount');
  const shown = typeof written === 'string' ? parseMoney(written) : null;
  if (draft.changing !== null) {
    // Only the review page sends the price that was agreed to: show it first.
    if (shown === null) return redirect('/insurance/review', { status: 303, headers });
    // Asked first, so that somebody who has just paid does not pay twice.
    const order = await orderByApplication(platform.db, draft.changing);
    if (order) await askBeforeChange(platform, context.get(paymentsContext), order.number);
  }
  const made = await submitDraft(platform, draft.id, {
    shown,
    language: context.get(languageContext),
    sessionHash: session.hash,
  });
  if (made.kind === 'wrong_total') {
    const priceChange = { before: shown ?? made.due, now: made.due };
    return data<ReviewAnswer>({ priceChange }, { status: 409, headers });
  }
  if (made.kind === 'invalid') {
    return redirect(formAt(made.problems[0]?.field), { status: 303, headers });
  }
  if (made.kind === 'unchangeable') {
    const { applicationNumber: number } = made;
    return redirect(changePath(number, number), { status: 303, headers });
  }
  // The form's page explains that nothing is on sale.
  if (made.kind === 'not_on_sale') return redirect('/insurance', { status: 303, headers });
  if (made.kind === 'over') return redirect(GONE_PAGE, { status: 303, headers });
  // Photos that an adult does not need.
  await removePhotos(platform, draft.id);
  const query = new URLSearchParams({ ref: made.number });
  const chosen = chosenProvider(form, context.get(paymentsContext).providers);
  if (chosen) query.set('provider', chosen);
  return redirect(`/insurance/payment?${query}`, { status: 303, headers });
}
