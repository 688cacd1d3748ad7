import { closuresNow } from '~/features/settings/closures.server.ts';
import { textOf } from '~/features/form/answers/controls.ts';
import { readPhone } from '~/features/application/phone/read-phone.server.ts';
import type { Language } from '~/base/languages.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { onSaleAt, type OnSale } from '~/features/insurance/store/on-sale.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { ChosenCountry } from '~/features/visa/parts/step-view.ts';
import { parseZone } from '~/features/visa/passport-reader/zone.ts';
import { answersOf, ZONE } from '~/features/visa/rules/typed.ts';
import type { Member } from '~/features/visa/store/party.server.ts';
import { chosenIn } from '~/features/visa/wizard/wizard.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { checkGroup, type CheckedGroup, type TravellerAsked } from '../check-group.ts';
import { planControl } from './travellers-view.ts';

/** Who in a party is to be insured, by position, with which plan. */
export type PlansChosen = ReadonlyMap<number, string>;

/** A party's answers, judged at one moment. */
export type PartyNow = {
  members: readonly Member[];
  asked: readonly (TravellerAsked & { situation: { country: ChosenCountry | null } })[];
  checked: CheckedGroup;
  now: Date;
  settings: Settings;
  sold: OnSale;
};

/** What a plan is kept under, among the answers of the traveller whom it insures. */
const PLAN = 'insurancePlan';

export const planKept = ({ content }: Pick<Member, 'content'>): string => content.typed[PLAN] ?? '';

/** What is kept of a plan that was chosen. */
export const entryOfPlan = (id: string) => ({ [PLAN]: id });

/** The plans that a form of the page says, by position; of a traveller whom it does not name, the one that is kept. */
export const plansIn = (form: FormData | null, members: readonly Member[]): PlansChosen =>
  new Map(
    members.map((member) => {
      const control = planControl(member.party.position);
      const isSent = form?.has(control) ?? false;
      return [
        member.party.position,
        form && isSent ? textOf(form, control, 60) : planKept(member),
      ] as const;
    }),
  );

/**
 * The travellers of a party at this moment: checked each by themselves and beside one another, with the plans that are on
 * sale. A plan that is sold no more counts as none. `photos`: how many photos of a parent's ID there are.
 */
export async function partyNow(
  platform: Platform,
  members: readonly Member[],
  plans: PlansChosen,
  { language, photos }: { language: Language; photos: number },
): Promise<PartyNow> {
  const countries = await allCountries(platform);
  const settings = await currentSettings(platform.db);
  const now = platform.now();
  const sold = await onSaleAt(platform.db, settings, now);
  const closures = await closuresNow(platform);
  const asked = members.map(({ content }) => {
    const answers = answersOf(content.typed);
    const country = chosenIn(countries, answers.countryId, language);
    const zone = parseZone(content.typed[ZONE]);
    return { answers, situation: { now, country, closures, readPhone }, zone };
  });
  const insurances = members.flatMap(({ party }, application) => {
    const productId = plans.get(party.position) ?? '';
    return sold.plans.some(({ id }) => id === productId) ? [{ application, productId }] : [];
  });
  const checked = checkGroup(asked, insurances, { plans: sold.plans, photos });
  return { members, asked, checked, now, settings, sold };
}
