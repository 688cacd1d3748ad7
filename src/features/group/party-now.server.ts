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
import { checkGroup, type CheckedGroup, type TravellerAsked } from './check-group.ts';
import { planControl } from './travellers-view.ts';

/** The plan chosen for each traveller to be insured, by position. */
export type PlansChosen = ReadonlyMap<number, string>;

/** A party's answers, checked at one moment. */
export type CurrentParty = {
  members: readonly PartyMember[];
  asked: readonly (TravellerAsked & { checkContext: { country: ChosenCountry | null } })[];
  checked: CheckedGroup;
  now: Date;
  office: Office;
  settings: Settings;
  sold: OnSale;
};

/** The name under which a plan is stored among its traveller's answers. */
const PLAN = 'insurancePlan';

export const storedPlan = ({ content }: Pick<PartyMember, 'content'>): string =>
  content.typed[PLAN] ?? '';

/** The stored entry of a chosen plan. */
export const planEntry = (id: string) => ({ [PLAN]: id });

/** The plans in a submitted form, by position; for travellers it does not mention, the stored one. */
export const readPlans = (form: FormData | null, members: readonly PartyMember[]): PlansChosen =>
  new Map(
    members.map((member) => {
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
  const asked = members.map(({ content }) => {
    const answers = readVisaAnswers(content.typed);
    const country = findChosenCountry(countries, answers.countryId, language);
    const zone = parseZone(content.typed[ZONE]);
    return { answers, checkContext: { now, country, office, readPhone }, zone };
  });
  const insurances = members.flatMap(({ party }, application) => {
    const productId = plans.get(party.position) ?? '';
    return sold.plans.some(({ id }) => id === productId) ? [{ application, productId }] : [];
  });
  const checked = checkGroup(asked, insurances, { plans: sold.plans, photos });
  return { members, asked, checked, now, office, settings, sold };
}
