import { randomUUID } from 'node:crypto';
import { redirect, type RouterContextProvider, data } from 'react-router';
import { parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { countryName, placeName } from '~/features/catalog/names.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { allCountries, countryByCode, findCountry } from '~/features/catalog/store.server.ts';
import type { StepSubmission } from '~/features/form/draft/draft-content.ts';
import { prolongDrafts, type Draft } from '~/features/form/draft/draft.server.ts';
import {
  GONE,
  saveSent,
  readPageState,
  withChosenEmail,
  nextPage,
  askEmail,
  readSavedAddress,
  sendLink,
  formRefusalStatus,
} from '~/features/form/save-sent.server.ts';
import { currentOffice } from '~/features/settings/office.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { controlsByFields, type TypedAnswers } from '~/features/form/answers/controls.ts';
import { withCountryCode } from '~/features/application/read-phone.server.ts';
import {
  pricePath,
  type VisaAnswers,
  type CountryTerms,
  type CheckContext,
  type VisaProblem,
} from '../rules/answers.ts';
import { openVisaDraft, visaDrafts, shareArrival } from '../store/draft.server.ts';
import type { PriceList } from '../rules/price-list.ts';
import { visaPrices } from '../store/store.server.ts';
import {
  firstIncomplete,
  incompleteSteps,
  mayOpen,
  stepProblems,
  nextStep,
} from '../rules/checked-journey.ts';
import {
  isForOther,
  NATIONALITY_NOW,
  OTHER_NATIONALITY,
  nationalityPageId,
} from '../rules/other-nationality.ts';
import { travellerUrl, TRAVELLERS_PAGE } from '~/features/form/draft/party.ts';
import { defaultSpeed, previewPromise } from '../rules/ready-by.ts';
import { paths } from '../rules/speeds.ts';
import { readSpeed, resolveSpeed } from './speed-choice.ts';
import { sentLines, type SentLines, readTypedLines } from '../passport-reader/sent-lines.ts';
import { READ_LINES, parseZone } from '../passport-reader/zone.ts';
import {
  sharedFields,
  type ChosenCountry,
  type StepView,
  type StepAnswer,
} from '../parts/step-view.ts';
import { stepById, previousStep, isReviewNext } from '../rules/steps.ts';
import type { StepId } from '../rules/step-ids.ts';
import {
  readVisaAnswers,
  readTyped,
  visaForm,
  NATIONALITY_CONFIRMED,
  ZONE,
} from '../rules/typed.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { zoneConfirmation, differentZoneCountry } from '../passport-reader/differences.ts';

export type StepArgs = { request: Request; context: Readonly<RouterContextProvider> };

export type OpenedStep = {
  platform: Platform;
  language: Language;
  draft: Draft | null;
  answers: VisaAnswers;
  checkContext: CheckContext;
  country: ChosenCountry | null;
  prices: PriceList;
  /** The page that was submitted had been shown for another nationality. */
  isNationalityOther: boolean;
};

/** Where a page of an application leads that this device does not open any more. */
export const GONE_PAGE = `${stepById('nationality').url}?${GONE}=yes`;

/** The chosen nationality with its present terms. */
export async function chosenCountry(
  platform: Platform,
  code: string | undefined,
  language: Language,
): Promise<ChosenCountry | null> {
  return code ? findChosenCountry(await allCountries(platform), code, language) : null;
}

/** The same among nationalities read before, for callers inside a transaction. */
export function findChosenCountry(
  countries: readonly Country[],
  code: string | undefined,
  language: Language,
): ChosenCountry | null {
  const known = code ? findCountry(countries, code) : undefined;
  if (!known) return null;
  const { regime, maxStayDays, entries, others, checkedOn } = known;
  const name = countryName(known, language);
  return {
    code: known.code,
    regime,
    maxStayDays,
    entries,
    checkedOn,
    ...(others && { others }),
    name,
  };
}

/** What answers are checked against now, for the chosen nationality. */
export const currentVisaCheckContext = async <C extends CountryTerms>(
  platform: Platform,
  country: C | null,
) => ({
  now: platform.now(),
  country,
  office: await currentOffice(platform),
  readPhone,
});

/** The page at which a draft continues. */
export async function draftPage(
  platform: Platform,
  draft: Draft,
  language: Language,
): Promise<string> {
  if (draft.applicationNumber) {
    return (await nextPage(visaDrafts, platform, draft.applicationNumber)).url;
  }
  if (draft.party) return TRAVELLERS_PAGE;
  const answers = readVisaAnswers(draft.content.typed);
  const country = await chosenCountry(platform, answers.countryId, language);
  return firstIncomplete(answers, await currentVisaCheckContext(platform, country)).url;
}

/**
 * Opens a step. `prefill`: answers from a link; `known`: this browser's draft, where the caller has read it.
 * @throws A redirect to the first incomplete step, or to the payment of a submitted draft.
 */
export async function openStep(
  id: StepId,
  { request, context }: StepArgs,
  prefill: TypedAnswers = {},
  known?: Draft | null,
): Promise<OpenedStep> {
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  let draft = known === undefined ? await openVisaDraft(platform, request) : known;
  const at = (url: string) => travellerUrl(url, draft?.party ?? null);
  if (draft?.applicationNumber) {
    const next = await nextPage(visaDrafts, platform, draft.applicationNumber);
    // The application is finished: somebody on the first step wants to apply for another person.
    if (id === 'nationality' && !next.isUnpaid) draft = null;
    else throw redirect(at(next.url));
  }
  const answers = readVisaAnswers({ ...draft?.content.typed, ...prefill });
  const country = await chosenCountry(platform, answers.countryId, language);
  const checkContext = await currentVisaCheckContext(platform, country);
  if (id !== 'nationality' && !mayOpen(id, answers, checkContext)) {
    throw redirect(at(firstIncomplete(answers, checkContext).url));
  }
  const prices = await visaPrices(platform);
  const isNationalityOther = new URL(request.url).searchParams.has(OTHER_NATIONALITY);
  return { platform, language, draft, answers, checkContext, country, prices, isNationalityOther };
}

/** The data of a step's page. */
export function stepView(id: StepId, opened: OpenedStep, prefill: TypedAnswers = {}): StepView {
  const { draft, answers, checkContext, country, language, platform, prices } = opened;
  const typed = { ...draft?.content.typed, ...prefill };
  const mine = controlsByFields(visaForm, stepById(id).fields);
  const wasTried = draft?.content.attempted.includes(id) ?? false;
  const places = [answers.visaCountry, answers.residenceCountry].filter((code) => code !== '');
  return {
    step: id,
    party: draft?.party ?? null,
    country,
    typed: Object.fromEntries(mine.map((control) => [control, typed[control] ?? ''])),
    answers: Object.fromEntries(sharedFields.map((field) => [field, answers[field] ?? ''])),
    changing: draft?.changing ?? null,
    problems: wasTried ? stepProblems(id, answers, checkContext) : [],
    version: draft?.version ?? 0,
    replaced: opened.isNationalityOther && country ? { [NATIONALITY_NOW]: country.name } : {},
    page: nationalityPageId(answers.countryId, randomUUID()),
    now: platform.now().getTime(),
    readyBy:
      previewPromise(answers, country, platform.now(), checkContext.office)?.getTime() ?? null,
    prices,
    inTime: Object.fromEntries(
      paths.map((path) => [
        path,
        defaultSpeed(
          path,
          parseDate(answers.arrivalDate ?? ''),
          checkContext.now,
          checkContext.office,
        ),
      ]),
    ),
    open: incompleteSteps(answers, checkContext).filter((one) => one !== id),
    office: checkContext.office,
    places: Object.fromEntries(places.map((code = '') => [code, placeName(code, language)])),
  };
}

export type SentStep = Omit<OpenedStep, 'prices' | 'draft'> & {
  draft: Draft;
  intent: 'next' | 'previous' | 'later' | typeof READ_LINES | typeof SWITCH_LANGUAGE;
  form: FormData;
  entries: TypedAnswers;
  /** The result of reading the machine-readable lines, where the page asked for it. */
  lines: SentLines | null;
  replaced: TypedAnswers;
  /** The page's speed, where the arrival needs another one with another price. */
  movedFrom: string | null;
  headers: Headers;
};

/** Reads a page's form: the step's controls, and others `carried` along from a link. */
export function readWriting(
  id: StepId,
  form: FormData,
  by: StepSubmission['by'],
  carried: TypedAnswers = {},
): StepSubmission {
  const { fields } = stepById(id);
  const speed = fields.includes('processingType') ? readSpeed(form) : {};
  return {
    step: id,
    entries: { ...carried, ...withChosenEmail(readTyped(form, fields)), ...speed },
    ...readPageState(form),
    by,
  };
}

const otherIntents = ['previous', 'later', READ_LINES, SWITCH_LANGUAGE] as const;

/**
 * Stores what a page sent, valid or not, and returns the state afterwards. `read`: this browser's draft, where the
 * caller has read it.
 * @throws A redirect to the first step where the draft is gone; what was sent is kept in a new one.
 */
export async function receiveStep(
  id: StepId,
  { request, context }: StepArgs,
  form: FormData,
  carried: TypedAnswers = {},
  read?: Draft | null,
): Promise<SentStep> {
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const asked = form.get('intent');
  const intent = otherIntents.find((one) => one === asked) ?? 'next';
  const sent = readWriting(id, form, intent === 'next' ? 'next' : 'button', carried);
  const lines = intent === READ_LINES ? sentLines(form, sent.entries, platform.now()) : null;
  const writing = lines ? { ...sent, entries: lines.entries } : sent;
  let written = writing;
  const before = read === undefined ? await openVisaDraft(platform, request) : read;
  const kept = await saveSent(
    visaDrafts,
    { platform, request, language },
    before,
    async (known) => {
      if (intent === 'next') {
        written = { ...writing, entries: await settle(id, platform, known, writing.entries) };
      }
      return written;
    },
  );
  const { draft, replaced, isGone, headers } = kept;
  if (draft.party) await prolongDrafts(platform.db, platform, draft);
  const answers = readVisaAnswers(draft.content.typed);
  const country = await chosenCountry(platform, answers.countryId, language);
  // Every later step follows a nationality: without one the draft that had it is gone, whatever the page knew of it.
  const isWithout = id !== 'nationality' && !answers.countryId && !draft.party;
  if (isGone || isWithout) throw redirectToPage(GONE_PAGE, headers);
  const checkContext = await currentVisaCheckContext(platform, country);
  return {
    platform,
    language,
    draft,
    answers,
    checkContext,
    country,
    intent,
    form,
    entries: writing.entries,
    lines,
    isNationalityOther: id !== 'nationality' && isForOther(writing.page, answers.countryId),
    replaced,
    movedFrom:
      written.entries.processingType === writing.entries.processingType
        ? null
        : (writing.entries.processingType ?? ''),
    headers,
  };
}

/** Applies the form's own choices to the answers that were sent. */
async function settle(
  id: StepId,
  platform: Platform,
  draft: Pick<Draft, 'content'> | null,
  entries: TypedAnswers,
): Promise<TypedAnswers> {
  if (entries.phone !== undefined) return withCountryCode(entries, draft?.content.typed.countryId);
  if (id !== 'arrival') return entries;
  const country = await countryByCode(platform, draft?.content.typed.countryId ?? '');
  const path = pricePath(country ?? null, draft?.content.typed ?? {});
  if (!path) return entries;
  const [prices, office] = await Promise.all([visaPrices(platform), currentOffice(platform)]);
  return resolveSpeed(entries, { path, prices, office, now: platform.now() });
}

/** A redirect after a POST, for which the browser uses GET. */
export const redirectToPage = (url: string, headers: Headers): Response =>
  redirect(url, { status: 303, headers });

/** Where a page shown for another nationality leads: to its step, if it is still one of the steps, with a notice. */
export function otherNationalityUrl(
  id: StepId,
  { answers, checkContext, draft }: Pick<SentStep, 'answers' | 'checkContext' | 'draft'>,
): string {
  const step = mayOpen(id, answers, checkContext)
    ? stepById(id)
    : firstIncomplete(answers, checkContext);
  return travellerUrl(`${step.url}?${OTHER_NATIONALITY}`, draft.party);
}

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
  const at = (url: string) => travellerUrl(url, draft.party);
  // Everything typed is stored; the page names the present nationality and must be sent again.
  if (sent.isNationalityOther) return redirectToPage(otherNationalityUrl(id, sent), headers);
  // Answers of another tab were replaced: the page shows them, and continues at the next press.
  if (intent !== 'next' && Object.keys(replaced).length > 0) {
    return stay(sent, { typed: entries, replaced }, 409);
  }
  if (intent === 'previous') {
    return redirectToPage(
      at((previousStep(id, country, sent.answers) ?? stepById('nationality')).url),
      headers,
    );
  }
  if (intent === SWITCH_LANGUAGE) return redirectToPage(at(stepById(id).url), headers);
  if (intent === READ_LINES) {
    const refused = sent.lines?.refused ?? null;
    return stay(sent, { typed: entries, ...(refused && { lines: refused }) }, refused ? 422 : 200);
  }
  if (intent === 'later') return sendLater(args, sent);
  const answer = goOn(id, sent, isReviewNext(new URL(request.url).searchParams));
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
    ...stepProblems(id, answers, checkContext),
    ...askEmail(entries),
    ...askNationality(entries, sent),
  ];
  if (problems.length > 0) return stay(sent, { typed: entries, problems, replaced }, 422);
  if (Object.keys(replaced).length > 0) return stay(sent, { typed: entries, replaced }, 409);
  // Another speed has another price, which is shown first.
  if (movedFrom) return stay(sent, { typed: entries, isSpeedMoved: true }, 409);
  const following =
    (toReview ? null : nextStep(id, answers, checkContext)) ??
    firstIncomplete(answers, checkContext);
  return redirectToPage(travellerUrl(following.url, draft.party), headers);
}

/** The open question whether the chosen nationality is that of the passport whose lines were read. */
function askNationality(
  { [ZONE]: written, [NATIONALITY_CONFIRMED]: confirmed }: TypedAnswers,
  { answers: { countryId = '' }, language }: SentStep,
): VisaProblem[] {
  const zone = parseZone(written);
  const other = differentZoneCountry(written, countryId);
  if (!zone || other === null || confirmed === zoneConfirmation(zone, countryId)) return [];
  const name = placeName(other, language);
  return [{ field: 'passportNumber', code: 'other_nationality', name }];
}

function stay({ headers, form, lines }: SentStep, answer: StepAnswer, status: number) {
  // Lines that were read are not shown again: they hold more than the form asks.
  const isRead = lines !== null && lines.refused === null;
  const beside = isRead ? readSavedAddress(form) : readExtraEntries(form);
  return data<StepAnswer>({ ...answer, beside }, { status, headers });
}

/** What a page's form holds beside its answers. */
export const readExtraEntries = (form: FormData): TypedAnswers => ({
  ...readSavedAddress(form),
  ...readTypedLines(form),
});

async function sendLater(args: StepArgs, sent: SentStep) {
  const { draft, form, entries, headers } = sent;
  const later = await sendLink(visaDrafts, args, form, draft);
  if (later) return stay(sent, { typed: entries, later }, formRefusalStatus(later));
  return redirectToPage('/application/saved', headers);
}
