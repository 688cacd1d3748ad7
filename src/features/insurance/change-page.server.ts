import type { Changeable } from '~/features/application/find-change.server.ts';
import { changePage } from '~/features/form/change-page.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { insuranceDrafts } from './store/draft.server.ts';
import { daysTyped } from './rules/plan-choice.ts';
import { plansOnSale } from './store/plan-store.server.ts';
import { insuranceDetailsOf, storedAnswers } from './store/store.server.ts';
import { selectPlan } from './rules/trip.ts';
import { PLAN_SHOWN, PLAN_WISH, typedOf } from './rules/typed.ts';

/** Opens an unpaid insurance again in its form. */
export const { open: openChangePage, take: handleChangeSubmit } = changePage({
  form: insuranceDrafts,
  opensAt: '/insurance',
  typedOf: answersToChange,
});

/** The controls that give a stored application's answers. */
async function answersToChange(
  { db, sealer, now }: Platform,
  { application }: Changeable,
): Promise<Typed> {
  const details = await insuranceDetailsOf(db, sealer, application.id);
  if (!details) throw new Error('An insurance has no answers');
  const answers = storedAnswers({ application, details });
  const typed = typedOf(answers);
  const sold = await plansOnSale(db, now());
  // Whether the traveller or the form chose the plan is not stored: one that the form would not choose counts as the
  // traveller's.
  const { chosen } = selectPlan(sold, daysTyped(typed), { wish: '', selected: '' });
  const wish = chosen?.id === application.service ? '' : application.service;
  return { ...typed, [PLAN_SHOWN]: application.service, [PLAN_WISH]: wish };
}
