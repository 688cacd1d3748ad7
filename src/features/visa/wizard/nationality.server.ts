import { data } from 'react-router';
import type { Language } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import {
  countryOptions,
  residenceOptions,
  supportingVisaOptions,
} from '~/features/catalog/names.server.ts';
import { eligibility } from '~/features/catalog/eligibility.ts';
import {
  parseTravelDocument,
  type Country,
  type TravelDocument,
} from '~/features/catalog/regime.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';
import { fieldControls, type TypedAnswers } from '~/features/form/answers/controls.ts';
import { rereadDraft, type Draft } from '~/features/form/draft/draft.server.ts';
import { endParty, startParty, removeTraveller } from '~/features/form/draft/party.server.ts';
import { GONE } from '~/features/form/save-sent.server.ts';
import { openVisaDraft, addCompanion, insureAlone } from '../store/draft.server.ts';
import { INSURE } from '../parts/step-view.ts';
import { plansOnSale } from '~/features/insurance/store/plan-store.server.ts';
import { travellerUrl, TRAVELLERS_PAGE } from '~/features/form/draft/party.ts';
import { stepProblems } from '../rules/checked-journey.ts';
import { toLines } from './country-lines.ts';
import type { StepAnswer, ChosenCountry, LeftOut } from '../parts/step-view.ts';
import { stepById } from '../rules/steps.ts';
import {
  answerStep,
  readExtraEntries,
  chosenCountry,
  redirectToPage,
  openStep,
  receiveStep,
  currentVisaCheckContext,
  stepView,
  type SentStep,
  type StepArgs,
} from './wizard.server.ts';
import { readVisaAnswers, readTyped, visaForm } from '../rules/typed.ts';
import { ageExemption } from '~/features/catalog/age-notes.ts';
import { EXEMPT } from '../rules/answers.ts';
import { countryNote } from '~/features/catalog/notes.ts';

/** Why a traveller of an e-visa nationality is left out: no supporting document, or an age that needs no visa. */
const reasonsBeside = ['undocumented', 'exempt'] as const;
type ReasonBeside = (typeof reasonsBeside)[number];

/** The traveller left out before this page, as its address says; null for nobody. */
export async function readLeftOut(
  query: URLSearchParams,
  platform: Platform,
  language: Language,
): Promise<LeftOut | null> {
  const document = parseTravelDocument(query.get('document') ?? '');
  const code = query.get('without') ?? '';
  const country = /^[A-Z]{3}$/.test(code) ? await chosenCountry(platform, code, language) : null;
  if (!country || !document) return null;
  const granted = eligibility(country, document);
  const why = reasonsBeside.find((one) => query.has(one));
  const isBeside = granted.regime === 'evisa_with_document' && why !== undefined;
  if (granted.regime !== 'visa_free' && granted.regime !== 'no_evisa' && !isBeside) return null;
  const note = why === 'exempt' ? countryNote(country) : undefined;
  return { country: country.name, eligibility: granted, ...(note && { note }) };
}

/**
 * Deletes the draft of a traveller who is left out of a party; returns where the party continues. The only traveller so
 * far is replaced by another.
 */
async function recordLeftOut(
  platform: Platform,
  draft: Pick<Draft, 'party'> | null,
  { country, document }: { country: ChosenCountry; document: TravelDocument },
  language: Language,
  why: ReasonBeside | null = null,
): Promise<string> {
  const about = new URLSearchParams({ without: country.code, document });
  if (why) about.set(why, '1');
  const { url } = stepById('nationality');
  const party = draft?.party;
  if (!party) return `${url}?party=group&countryId=&documentType=ordinary&${about}`;
  const isLast = party.positions.length === 1;
  const added = isLast ? await addCompanion(platform, party.id, language) : null;
  await removeTraveller(platform, party.id, party.position);
  return added?.ok
    ? travellerUrl(`${url}?${about}`, { position: added.value })
    : `${TRAVELLERS_PAGE}?${about}`;
}

/** Whether the button was pressed that insures a traveller who gets no e-visa, while insurances are sold. */
const isToBeInsured = async (platform: Platform, form: FormData): Promise<boolean> =>
  form.get('intent') === INSURE && (await plansOnSale(platform.db, platform.now())).length > 0;

/**
 * Lets a traveller who gets no e-visa be insured in their place of a party, which begins with them where there is none;
 * returns where they continue. Null where the draft cannot be in a party.
 */
async function insureInstead(
  platform: Platform,
  draft: Draft,
  { country, document }: { country: ChosenCountry; document: TravelDocument },
): Promise<string | null> {
  const { party, ...begun } = await startParty(platform, draft);
  if (!party) return null;
  const typed = { countryId: country.code, documentType: document };
  await insureAlone(platform, { ...begun, party }, typed);
  return travellerUrl('/insurance', party);
}

const { fields } = stepById('nationality');
const arrivalControls = fieldControls(visaForm, 'arrivalDate');

/** The control that says who applies. */
const PARTY = 'party';
const GROUP = 'group';

/** Answers in the address, from the home page or another language; nothing is stored before Next is pressed. */
function prefillOf(request: Request): TypedAnswers {
  const query = new URL(request.url).searchParams;
  const code = query.get('countryId') ?? query.get('country') ?? '';
  if (!/^([A-Za-z]{3})?$/.test(code)) return {};
  if (code === '' && !query.has('documentType')) return {};
  const arrival = arrivalControls.map((control) => [
    control,
    query.get(control)?.slice(0, 20) ?? '',
  ]);
  return {
    countryId: code.toUpperCase(),
    documentType: query.get('documentType')?.slice(0, 20) ?? 'ordinary',
    ...(query.has('arrivalDate-day') ? Object.fromEntries(arrival) : {}),
  };
}

const countriesIn = async (platform: Platform, language: Language) =>
  linesOf(await allCountries(platform), language);

const linesOf = oncePerLanguage((countries: readonly Country[], language: Language) =>
  toLines(countryOptions(countries, language), countries),
);

export async function openNationality(args: StepArgs) {
  const prefill = prefillOf(args.request);
  const opened = await openStep('nationality', args, prefill);
  const countries = await countriesIn(opened.platform, opened.language);
  const carried = Object.fromEntries(
    Object.entries(prefill).filter(([control]) => arrivalControls.includes(control)),
  );
  const { searchParams: query } = new URL(args.request.url);
  const party = opened.draft?.party ?? null;
  return {
    view: stepView('nationality', opened, prefill),
    countries,
    carried,
    isGone: query.has(GONE),
    // Asked of the first traveller only, and not once an application is stored.
    isGroup:
      (party?.positions.length ?? 1) > 1 || opened.draft?.changing
        ? null
        : party !== null || query.get(PARTY) === GROUP,
    without: await readLeftOut(query, opened.platform, opened.language),
  };
}

/**
 * Without an e-visa the page says what to do instead, and then leads to insurance. A draft begins with the first
 * nationality that gets an e-visa.
 */
export async function handleNationalitySubmit(args: StepArgs) {
  const { request, context } = args;
  const platform = context.get(platformContext);
  const form = await readForm(args);
  const typed = readTyped(form, fields);
  // In the address, as in a link: a country that is only tried out must not void answers for the chosen one.
  if (form.get('intent') === SWITCH_LANGUAGE) {
    const query = new URLSearchParams({ ...typed, ...carriedIn(form) });
    const isGroup = form.get(PARTY) === GROUP;
    if (isGroup) query.set(PARTY, GROUP);
    const known = await openVisaDraft(platform, request);
    return redirectToPage(
      travellerUrl(`/application?${query}`, known?.party ?? null),
      new Headers(),
    );
  }
  const answers = readVisaAnswers(typed);
  const language = context.get(languageContext);
  const country = await chosenCountry(platform, answers.countryId, language);
  const problems = stepProblems(
    'nationality',
    answers,
    await currentVisaCheckContext(platform, country),
  );
  const isInsured = await isToBeInsured(platform, form);
  const isNext = !isInsured && form.get('intent') !== 'later';
  const draft = await openVisaDraft(platform, request);
  const mayStore = !isNext || problems.length === 0 || draft !== null;

  const sent = mayStore
    ? await receiveStep('nationality', args, form, carriedIn(form), draft)
    : { headers: new Headers() };
  const { headers } = sent;
  const stay = (answer: StepAnswer, status: number) =>
    data<StepAnswer>({ ...answer, beside: readExtraEntries(form) }, { status, headers });

  const document = parseTravelDocument(answers.documentType);
  const isRefused = problems.some(({ code }) => code === 'visa_free' || code === 'no_evisa');
  if (isInsured && isRefused && country && document && 'draft' in sent) {
    const url = await insureInstead(platform, sent.draft, { country, document });
    if (url) return redirectToPage(url, headers);
  }
  if (isNext && isRefused && country) {
    const hasNoticed = form.get('noticed') === `${answers.countryId} ${answers.documentType}`;
    const isConsular =
      document !== null && eligibility(country, document).reason === 'consular_visa';
    if (hasNoticed && document && (draft?.party || form.get(PARTY) === GROUP)) {
      return redirectToPage(
        await recordLeftOut(platform, draft, { country, document }, language),
        headers,
      );
    }
    if (hasNoticed && !isConsular)
      return redirectToPage(`/insurance?country=${country.code}`, headers);
    return stay({ typed, noEvisa: true }, 200);
  }
  if (!('intent' in sent)) return stay({ typed, problems }, 422);
  return answerStep('nationality', args, await inParty(sent, form));
}

/** Starts a party where others will be added, and ends it where the answer is taken back. */
async function inParty(sent: SentStep, form: FormData): Promise<SentStep> {
  const { platform, draft } = sent;
  const partyChoice = form.get(PARTY);
  if (partyChoice === GROUP) return { ...sent, draft: await startParty(platform, draft) };
  if (partyChoice === null || !draft.party) return sent;
  await endParty(platform, draft);
  return { ...sent, draft: (await rereadDraft(platform, draft.id)) ?? draft };
}

/** Answers from the link, in hidden fields. */
function carriedIn(form: FormData): TypedAnswers {
  return form.has('arrivalDate-day') ? readTyped(form, ['arrivalDate']) : {};
}

/** Why a traveller gets no e-visa from us; null where the answer leads on. */
function whyWithout({ hasSupportingDocument }: TypedAnswers, country: ChosenCountry) {
  if (hasSupportingDocument === 'no') return 'undocumented';
  const isVisaFree = ageExemption(country)?.from === 'visa_free';
  return hasSupportingDocument === EXEMPT && isVisaFree ? 'exempt' : null;
}

export async function openSupportingDocument(args: StepArgs) {
  const opened = await openStep('supporting_document', args);
  return {
    view: stepView('supporting_document', opened),
    visaOptions: supportingVisaOptions(opened.language),
    residenceOptions: residenceOptions(opened.language),
  };
}

/**
 * Without a supporting document there is no e-visa, and at some ages no visa is needed: offers insurance, or lets
 * the party continue without this traveller or insure them.
 */
export async function handleSupportingDocumentSubmit(args: StepArgs) {
  const sent = await receiveStep('supporting_document', args, await readForm(args));
  const { country, draft, platform, language, headers } = sent;
  const why = country && sent.intent === 'next' ? whyWithout(sent.entries, country) : null;
  if (why && country && !sent.isNationalityOther) {
    const document = parseTravelDocument(sent.answers.documentType ?? '');
    if (draft.party && document) {
      const without = { country, document };
      const insured = (await isToBeInsured(platform, sent.form))
        ? await insureInstead(platform, draft, without)
        : null;
      return redirectToPage(
        insured ?? (await recordLeftOut(platform, draft, without, language, why)),
        headers,
      );
    }
    return redirectToPage(`/insurance?country=${country.code}&${why}=1`, headers);
  }
  return answerStep('supporting_document', args, sent);
}
