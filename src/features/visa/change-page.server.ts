import { choose } from '~/base/default-choice.ts';
import type { Language } from '~/base/languages.ts';
import type { Changeable } from '~/features/application/find-change.server.ts';
import { changePage } from '~/features/form/change-page.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { pathOf } from './rules/answers.ts';
import { visaDrafts } from './store/draft.server.ts';
import { officeNow } from '~/features/settings/office.server.ts';
import { visaPrices } from './store/prices.server.ts';
import { visaDetailsOf } from './store/store.server.ts';
import { storedAnswers } from './store/answer-columns.ts';
import { suitableSpeeds } from './wizard/speed-choice.ts';
import { writeZone } from './passport-reader/zone.ts';
import { WISH, ZONE, typedOf } from './rules/typed.ts';
import { chosenCountry } from './wizard/wizard.server.ts';

/** Opens an unpaid e-visa application again in the wizard, at its review. */
export const { open: openChangePage, take: handleChangeSubmit } = changePage({
  form: visaDrafts,
  opensAt: '/application/review',
  typedOf: answersToChange,
});

async function answersToChange(
  platform: Platform,
  { application }: Changeable,
  language: Language,
): Promise<Typed> {
  const details = await visaDetailsOf(platform.db, platform.sealer, application.id);
  if (!details) throw new Error('A visa application has no answers');
  const { zone } = details;
  const answers = storedAnswers(application, details);
  const typed = {
    ...typedOf(answers),
    ...(zone && { [ZONE]: writeZone(zone) }),
  };
  const country = await chosenCountry(platform, application.countryCode, language);
  const path = pathOf(country, answers);
  if (!path) return typed;
  // Whether the traveller or the form chose the speed is not stored: one that the form would not choose counts as the
  // traveller's.
  const suitable = suitableSpeeds(typed, {
    path,
    prices: await visaPrices(platform),
    office: await officeNow(platform),
    now: platform.now(),
  });
  const { selected } = choose({ wish: '', selected: '' }, suitable);
  return { ...typed, [WISH]: selected === application.service ? '' : application.service };
}
