import type { Office } from '~/base/dates/office.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import { boundedText } from '~/features/form/answers/controls.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import type { Language } from '~/base/languages.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { readPlansOnSale, type OnSale } from '~/features/insurance/store/plan-store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { ChosenCountry } from '~/features/visa/parts/step-view.ts';
import { parseZone } from '~/features/visa/passport-reader/zone.ts';
import { readVisaAnswers, ZONE } from '~/features/visa/rules/typed.ts';
import type { PartyMember } from '~/features/form/draft/party.server.ts';
import { findChosenCountry } from '~/features/visa/wizard/wizard.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readInsuranceAnswers } from '~/features/insurance/rules/typed.ts';
import { checkGroup, type CheckedGroup, type InsuredAsked, type VisaAsked } from './check-group.ts';
import { planControl } from './travellers-view.ts';

/** The plan chosen for each traveller to be insured, by position. */
export type PlansChosen = ReadonlyMap<number, string>;

/** A party's answers, checked at one moment. */
export type CurrentParty = {
  members: readonly PartyMember[];
  asked: readonly (
    | (VisaAsked & { checkContext: { country: ChosenCountry | null } })
    | (InsuredAsked & { country: ChosenCountry | null })
  )[];
  checked: CheckedGroup;
  now: Date;
  office: Office;
  settings: Settings;
  sold: OnSale;
};

/** The name under which a plan is stored among its traveller's answers. */
const PLAN = 'insurancePlan';

/** Whether a traveller applies for an e-visa, or else is insured alone. */
export const isForVisa = ({ form }: Pick<PartyMember, 'form'>): boolean => form === 'visa';

export const storedPlan = ({ content }: Pick<PartyMember, 'content'>): string =>
  content.typed[PLAN] ?? '';

/** The stored entry of a chosen plan. */
export const planEntry = (id: string) => ({ [PLAN]: id });

/**
 * The plans in a submitted form, by position; for travellers it does not mention, the stored one. Who is insured alone
 * has chosen theirs among their answers.
 */
export const readPlans = (form: FormData | null, members: readonly PartyMember[]): PlansChosen =>
  new Map(
    members.filter(isForVisa).map((member) => {
      const control = planControl(member.party.position);
      const isSent = form?.has(control) ?? false;
      return [
        member.party.position,
        form && isSent ? boundedText(form, control, 60) : storedPlan(member),
      ] as const;
    }),
  );

/**
 * The travellers of a party now: each checked alone and together, with the plans on sale. A plan that is no longer sold
 * counts as none. `photos`: number of photos of a parent's ID.
 */
export async function currentParty(
  platform: Platform,
  members: readonly PartyMember[],
  plans: PlansChosen,
  { language, photos }: { language: Language; photos: number },
): Promise<CurrentParty> {
  const countries = await allCountries(platform);
  const settings = await currentSettings(platform.db);
  const now = platform.now();
  const sold = await readPlansOnSale(platform.db, settings, now);
  const office = officeInForce(settings, now);
  const asked = members.map(({ form, content }) => {
    if (!isForVisa({ form })) {
      const insured = readInsuranceAnswers(content.typed);
      return { insured, country: findChosenCountry(countries, insured.nationality, language) };
    }
    const answers = readVisaAnswers(content.typed);
    const country = findChosenCountry(countries, answers.countryId, language);
    const zone = parseZone(content.typed[ZONE]);
    return { answers, checkContext: { now, country, office, readPhone }, zone };
  });
  const insurances = members.flatMap(({ party }, application) => {
    const productId = plans.get(party.position) ?? '';
    return sold.plans.some(({ id }) => id === productId) ? [{ application, productId }] : [];
  });
  const isNationality = (code: string) => countries.some((one) => one.code === code);
  const context = { now, plans: sold.plans, photos, readPhone, isNationality };
  const checked = checkGroup(asked, insurances, context);
  return { members, asked, checked, now, office, settings, sold };
}
