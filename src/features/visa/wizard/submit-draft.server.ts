import { sameMoney, toDecimal } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
import { applicationAmount, placeOrder } from '~/features/application/place-order.server.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { applyChange } from '~/features/application/reopened.server.ts';
import { deleteApplications } from '~/features/application/retention/delete-expired.server.ts';
import { changeApplication } from '~/features/application/store.server.ts';
import { travellerInsurance } from '~/features/application/travellers.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import {
  closeDraft,
  closeDraftSql,
  endDraftLinks,
  lockDraft,
  rereadDraft,
  type Draft,
} from '~/features/form/draft/draft.server.ts';
import { insuranceBesideVisa } from '~/features/insurance/beside-visa.ts';
import { replaceAnswers } from '~/features/insurance/purchase/submit.server.ts';
import type { Plan } from '~/features/insurance/rules/plans.ts';
import { deleteInsuranceDetails, lockInsurances } from '~/features/insurance/store/store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
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
import { TRAVELLERS_PAGE } from '../party.ts';
import { findChosenCountry, otherNationalityUrl } from './wizard.server.ts';

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

export type DraftToSubmit = {
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
