import { randomUUID } from 'node:crypto';
import { redirect, type RouterContextProvider } from 'react-router';
import { parseDate } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { countryName, placeName } from '~/features/catalog/names.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { allCountries, countryByCode, countryIn } from '~/features/catalog/store.server.ts';
import type { Writing } from '~/features/form/draft/draft-content.ts';
import { prolongDrafts, type Draft } from '~/features/form/draft/draft.server.ts';
import {
  GONE,
  saveSent,
  openingOf,
  withChosenEmail,
  nextPageOf,
} from '~/features/form/save-sent.server.ts';
import { officeNow } from '~/features/settings/office.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { controlsOfAll, type Typed } from '~/features/form/answers/controls.ts';
import { withCountryCode } from '~/features/form/read-call.server.ts';
import { pathOf, type Answers, type CountryTerms, type CheckContext } from '../rules/answers.ts';
import { openVisaDraft, visaDrafts } from '../store/draft.server.ts';
import type { PriceList } from '../rules/price-list.ts';
import { visaPrices } from '../store/prices.server.ts';
import { firstIncomplete, incompleteSteps, mayOpen, problemsAt } from '../rules/checked-journey.ts';
import {
  isForOther,
  NATIONALITY_NOW,
  OTHER_NATIONALITY,
  pageFor,
} from '../rules/other-nationality.ts';
import { forTraveller, TRAVELLERS_PAGE } from '../party.ts';
import { defaultSpeed } from '../rules/ready-by.ts';
import { paths } from '../rules/speeds.ts';
import { promisedNow } from '../rules/promised-now.ts';
import { readSpeed, settleSpeed } from './speed-choice.ts';
import { sentLines, type SentLines } from '../passport-reader/sent-lines.ts';
import { READ_LINES } from '../passport-reader/zone.ts';
import { sharedFields, type ChosenCountry, type StepView } from '../parts/step-view.ts';
import { stepOf } from '../rules/steps.ts';
import type { StepId } from '../rules/step-ids.ts';
import { answersOf, readTyped, visaForm } from '../rules/typed.ts';

export type StepArgs = { request: Request; context: Readonly<RouterContextProvider> };

export type OpenedStep = {
  platform: Platform;
  language: Language;
  draft: Draft | null;
  answers: Answers;
  checkContext: CheckContext;
  country: ChosenCountry | null;
  prices: PriceList;
  /** The page that was submitted had been shown for another nationality. */
  isNationalityOther: boolean;
};

/** Where a page of an application leads that this device does not open any more. */
export const GONE_PAGE = `${stepOf('nationality').url}?${GONE}=yes`;

/** The chosen nationality with its present terms. */
export async function chosenCountry(
  platform: Platform,
  code: string | undefined,
  language: Language,
): Promise<ChosenCountry | null> {
  return code ? chosenIn(await allCountries(platform), code, language) : null;
}

/** The same among nationalities read before, for callers inside a transaction. */
export function chosenIn(
  countries: readonly Country[],
  code: string | undefined,
  language: Language,
): ChosenCountry | null {
  const known = code ? countryIn(countries, code) : undefined;
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
export const checkContextNow = async <C extends CountryTerms>(
  platform: Platform,
  country: C | null,
) => ({
  now: platform.now(),
  country,
  office: await officeNow(platform),
  readPhone,
});

/** The page at which a draft continues. */
export async function placeOfDraft(
  platform: Platform,
  draft: Draft,
  language: Language,
): Promise<string> {
  if (draft.applicationNumber) {
    return (await nextPageOf(visaDrafts, platform, draft.applicationNumber)).url;
  }
  if (draft.party) return TRAVELLERS_PAGE;
  const answers = answersOf(draft.content.typed);
  const country = await chosenCountry(platform, answers.countryId, language);
  return firstIncomplete(answers, await checkContextNow(platform, country)).url;
}

/**
 * Opens a step. `prefill`: answers from a link; `known`: this browser's draft, where the caller has read it.
 * @throws A redirect to the first incomplete step, or to the payment of a submitted draft.
 */
export async function openStep(
  id: StepId,
  { request, context }: StepArgs,
  prefill: Typed = {},
  known?: Draft | null,
): Promise<OpenedStep> {
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  let draft = known === undefined ? await openVisaDraft(platform, request) : known;
  const at = (url: string) => forTraveller(url, draft?.party ?? null);
  if (draft?.applicationNumber) {
    const next = await nextPageOf(visaDrafts, platform, draft.applicationNumber);
    // The application is finished: somebody on the first step wants to apply for another person.
    if (id === 'nationality' && !next.isUnpaid) draft = null;
    else throw redirect(at(next.url));
  }
  const answers = answersOf({ ...draft?.content.typed, ...prefill });
  const country = await chosenCountry(platform, answers.countryId, language);
  const checkContext = await checkContextNow(platform, country);
  if (id !== 'nationality' && !mayOpen(id, answers, checkContext)) {
    throw redirect(at(firstIncomplete(answers, checkContext).url));
  }
  const prices = await visaPrices(platform);
  const isNationalityOther = new URL(request.url).searchParams.has(OTHER_NATIONALITY);
  return { platform, language, draft, answers, checkContext, country, prices, isNationalityOther };
}

/** The data of a step's page. */
export function viewOf(id: StepId, opened: OpenedStep, prefill: Typed = {}): StepView {
  const { draft, answers, checkContext, country, language, platform, prices } = opened;
  const typed = { ...draft?.content.typed, ...prefill };
  const mine = controlsOfAll(visaForm, stepOf(id).fields);
  const wasTried = draft?.content.attempted.includes(id) ?? false;
  const places = [answers.visaCountry, answers.residenceCountry].filter((code) => code !== '');
  return {
    step: id,
    party: draft?.party ?? null,
    country,
    typed: Object.fromEntries(mine.map((control) => [control, typed[control] ?? ''])),
    answers: Object.fromEntries(sharedFields.map((field) => [field, answers[field] ?? ''])),
    changing: draft?.changing ?? null,
    problems: wasTried ? problemsAt(id, answers, checkContext) : [],
    version: draft?.version ?? 0,
    replaced: opened.isNationalityOther && country ? { [NATIONALITY_NOW]: country.name } : {},
    page: pageFor(answers.countryId, randomUUID()),
    now: platform.now().getTime(),
    readyBy: promisedNow(answers, country, platform.now(), checkContext.office)?.getTime() ?? null,
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
  entries: Typed;
  /** The result of reading the machine-readable lines, where the page asked for it. */
  lines: SentLines | null;
  replaced: Typed;
  /** The page's speed, where the arrival needs another one with another price. */
  movedFrom: string | null;
  headers: Headers;
};

/** Reads a page's form: the step's controls, and others `carried` along from a link. */
export function readWriting(
  id: StepId,
  form: FormData,
  by: Writing['by'],
  carried: Typed = {},
): Writing {
  const { fields } = stepOf(id);
  const speed = fields.includes('processingType') ? readSpeed(form) : {};
  return {
    step: id,
    entries: { ...carried, ...withChosenEmail(readTyped(form, fields)), ...speed },
    ...openingOf(form),
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
  carried: Typed = {},
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
  const answers = answersOf(draft.content.typed);
  const country = await chosenCountry(platform, answers.countryId, language);
  // Every later step follows a nationality: without one the draft that had it is gone, whatever the page knew of it.
  const isWithout = id !== 'nationality' && !answers.countryId && !draft.party;
  if (isGone || isWithout) throw goTo(GONE_PAGE, headers);
  const checkContext = await checkContextNow(platform, country);
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
  entries: Typed,
): Promise<Typed> {
  if (entries.phone !== undefined) return withCountryCode(entries, draft?.content.typed.countryId);
  if (id !== 'arrival') return entries;
  const country = await countryByCode(platform, draft?.content.typed.countryId ?? '');
  const path = pathOf(country ?? null, draft?.content.typed ?? {});
  if (!path) return entries;
  const [prices, office] = await Promise.all([visaPrices(platform), officeNow(platform)]);
  return settleSpeed(entries, { path, prices, office, now: platform.now() });
}

/** A redirect after a POST, for which the browser uses GET. */
export const goTo = (url: string, headers: Headers): Response =>
  redirect(url, { status: 303, headers });

/** Where a page shown for another nationality leads: to its step, if it is still one of the steps, with a notice. */
export function leadToOther(
  id: StepId,
  { answers, checkContext, draft }: Pick<SentStep, 'answers' | 'checkContext' | 'draft'>,
): string {
  const step = mayOpen(id, answers, checkContext)
    ? stepOf(id)
    : firstIncomplete(answers, checkContext);
  return forTraveller(`${step.url}?${OTHER_NATIONALITY}`, draft.party);
}
