import { randomUUID } from 'node:crypto';
import { redirect, type RouterContextProvider } from 'react-router';
import { phoneCodesByLanguage, readPhone } from '~/features/application/read-phone.server.ts';
import { countryOptions, placeName } from '~/features/catalog/names.server.ts';
import { ageExemption } from '~/features/catalog/age-notes.ts';
import { countryNote } from '~/features/catalog/notes.ts';
import { needsSupportingDocument, type Country } from '~/features/catalog/regime.ts';
import { allCountries, findCountry } from '~/features/catalog/store.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { type TypedAnswers, oneNameBox } from '~/features/form/answers/controls.ts';
import { nextPage, GONE } from '~/features/form/save-sent.server.ts';
import { coverView } from '../store/store.server.ts';
import { check } from '../rules/check.ts';
import { insuranceDraftsAt, openInsuranceDraft } from '../store/draft.server.ts';
import { readInsuranceAnswers, readPlanChoice, daysTyped } from '../rules/typed.ts';
import type { InsuranceView } from './form-view.ts';
import { formPhotos } from './draft-photos.server.ts';
import { nationalityNamed } from '../purchase/check-insurance.server.ts';
import { plansOnSale, termsInForce } from '../store/plan-store.server.ts';
import { planNamed, selectPlan } from '../rules/plans.ts';
import { parseDate, splitDate } from '~/base/dates/dates.ts';
import { readNumber } from '~/features/application/number.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import { payerSessionHash } from '~/features/order/payer/session.server.ts';
import { orderByApplication } from '~/features/order/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

export type FormArgs = { request: Request; context: Readonly<RouterContextProvider> };

/** Query parameter after "Show the plans": the plan that the page had shown. */
export const PLAN_BEFORE = 'before';

/**
 * A nationality that came here for lack of a supporting document, or at an age that needs no visa, with a note on its
 * rules.
 */
function undocumentedIn(query: URLSearchParams, countries: readonly Country[]) {
  const isExempt = query.has('exempt');
  const country =
    (isExempt || query.has('undocumented')) && findCountry(countries, query.get('country') ?? '');
  if (!country || !needsSupportingDocument(country)) return null;
  const exemption = ageExemption(country);
  if (isExempt && exemption?.from !== 'visa_free') return null;
  return { note: countryNote(country) ?? null, exemption, isExempt };
}

/**
 * The form with this browser's draft; `?country=` fills in the nationality, `?visa=` the answers known from an e-visa.
 * An unpaid application redirects to its payment.
 */
export async function openForm({ request, context }: FormArgs): Promise<InsuranceView> {
  const platform = context.get(platformContext);
  const language = context.get(languageContext);
  const { db } = platform;
  const opened = await openInsuranceDraft(platform, request);
  const next =
    opened?.applicationNumber &&
    (await nextPage(insuranceDraftsAt(request), platform, opened.applicationNumber));
  if (next && next.isUnpaid) throw redirect(next.url);
  // Its application is finished: the visitor wants to insure somebody else.
  const draft = next ? null : opened;
  const [plans, countries, terms, photos] = await Promise.all([
    plansOnSale(db, platform.now()),
    allCountries(platform),
    termsInForce(db, platform.now()),
    draft ? formPhotos(platform, draft) : [],
  ]);
  const query = new URL(request.url).searchParams;
  const nationality = nationalityNamed(countries, (query.get('country') ?? '').slice(0, 100));
  // A draft's own answers take precedence over those of an e-visa.
  const kept: TypedAnswers = draft?.content.typed ?? (await typedFromVisa(platform, request));
  const typed = { ...kept, ...(nationality ? { nationality } : {}) };
  const to = selectPlan(plans, daysTyped(typed), readPlanChoice(typed)).chosen;
  const from = planNamed(plans, query.get(PLAN_BEFORE) ?? '');
  const codes = new Set(countries.map(({ code }) => code));
  const checkContext = {
    now: platform.now(),
    plans,
    // Those of a party come with all its travellers.
    photos: draft?.party ? 1 : photos.length,
    readPhone,
    isNationality: (code: string) => codes.has(code),
  };
  const wasTried = draft?.content.attempted.includes('form') ?? false;
  return {
    plans,
    cover: coverView(terms, language),
    countries: countryOptions(countries, language),
    phoneCodes: phoneCodesByLanguage(language),
    typed,
    destination: placeName('TUR', language),
    undocumented: undocumentedIn(query, countries),
    problems: wasTried ? check(readInsuranceAnswers(typed), checkContext).problems : [],
    photos,
    isGone: query.has(GONE),
    moved: from && to && from.id !== to.id ? { from, to } : null,
    changing: draft?.changing ?? null,
    party: draft?.party ?? null,
    version: draft?.version ?? 0,
    page: randomUUID(),
    now: platform.now().getTime(),
  };
}

/**
 * The answers that an empty form takes from the e-visa in `?visa=`: nationality, passport type, names and first day,
 * for the browser of that order's payer only.
 */
async function typedFromVisa(platform: Platform, request: Request): Promise<TypedAnswers> {
  const { db } = platform;
  const named = new URL(request.url).searchParams.get('visa') ?? '';
  const read = readNumber(named.slice(0, 40));
  const application = read.ok ? await applicationByNumber(db, read.number) : null;
  const order =
    application?.kind === 'visa' ? await orderByApplication(db, application.number) : null;
  if (!application || !order) return {};
  if (!(await isPayer(db, payerSessionHash(platform, request), order))) return {};
  const { countryCode, travelDocument, firstName, lastName, startsOn } = application;
  const first = parseDate(startsOn);
  const parts = first ? Object.entries(splitDate(first)) : [];
  return {
    nationality: countryCode,
    documentType: travelDocument,
    firstName,
    lastName,
    ...oneNameBox({ firstName, lastName }),
    ...Object.fromEntries(parts.map(([part, value]) => [`travelDate-${part}`, String(value)])),
  };
}
