import { ok, type Outcome } from '~/base/outcome.ts';
import type { Language } from '~/base/languages.ts';
import { controlsFor } from '~/features/application/correction.ts';
import {
  findChangeable,
  type ChangeRefusal,
} from '~/features/application/change/find-change.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { askBeforeChange } from '~/features/order/change-order.server.ts';
import type { Payments } from '~/features/payment/context.server.ts';
import type { SetCookie } from '~/platform/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { questionNames } from '../answers.ts';
import { openDraft, reopenDraft, reopenDraftHere } from '../draft.server.ts';
import { daysTyped } from '../plan-choice.ts';
import { plansOnSale } from '../plan-store.server.ts';
import { insuranceDetailsOf } from '../store.server.ts';
import { storedAnswers } from '../stored-answers.ts';
import { selectPlan } from '../trip.ts';
import { dateQuestions, PLAN_SHOWN, PLAN_WISH, type Typed } from '../typed.ts';

/**
 * Opens an unpaid insurance again in the form, with all its answers; what is stored stays until they are submitted. The
 * answer is the cookie to set, null where the browser has the draft.
 */
export async function openChange(
  platform: Platform,
  payments: Payments,
  request: Request,
  typed: string,
  language: Language,
): Promise<Outcome<{ setCookie: SetCookie | null }, ChangeRefusal>> {
  const asked = await findChangeable(platform, request, typed, 'insurance');
  if (!asked.ok) return asked;
  await askBeforeChange(platform, payments, asked.value.order.number);
  const found = await findChangeable(platform, request, typed, 'insurance');
  if (!found.ok) return found;
  const { application } = found.value;
  const { number } = application;
  const draft = await openDraft(platform, request);
  // It was opened before: what has been changed since is kept.
  if (draft?.changing === number) return ok({ setCookie: null });
  const reopened = { applicationNumber: number, typed: await typedOf(platform, application) };
  return platform.db.transaction(async (tx) => {
    if (draft?.applicationNumber === number) {
      await reopenDraft(tx, platform, draft, reopened);
      return ok({ setCookie: null });
    }
    return ok({ setCookie: await reopenDraftHere(tx, platform, { ...reopened, language }) });
  });
}

/** The controls that give a stored application's answers. */
async function typedOf(platform: Platform, application: Application): Promise<Typed> {
  const { db, sealer } = platform;
  const details = await insuranceDetailsOf(db, sealer, application.id);
  if (!details) throw new Error('An insurance has no answers');
  const answers = storedAnswers({ application, details });
  const typed = controlsFor(questionNames, answers, dateQuestions);
  const sold = await plansOnSale(db, platform.now());
  // Whose choice the plan was is not kept: one that the form would not choose is the traveller's own.
  const { chosen } = selectPlan(sold, daysTyped(typed), { wish: '', selected: '' });
  const wish = chosen?.id === application.service ? '' : application.service;
  return { ...typed, [PLAN_SHOWN]: application.service, [PLAN_WISH]: wish };
}
