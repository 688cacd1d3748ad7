import { ok, type Outcome } from '~/base/outcome.ts';
import { choose } from '~/base/default-choice.ts';
import type { Language } from '~/base/languages.ts';
import { askBeforeChange } from '~/features/order/change-order.server.ts';
import type { Payments } from '~/features/payment/context.server.ts';
import type { SetCookie } from '~/platform/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { pathOf } from '../answers.ts';
import { openDraft, visaDrafts } from '../draft.server.ts';
import { visaPrices } from '../prices.server.ts';
import { visaDetailsOf } from '../store.server.ts';
import { storedAnswers } from '../stored-answers.server.ts';
import { suitableSpeeds } from '../wizard/speed-choice.ts';
import { WISH, type Typed } from '../wizard/typed.ts';
import { chosenCountry } from '../wizard/wizard.server.ts';
import {
  findChangeable,
  type Changeable,
  type ChangeRefusal,
} from '~/features/application/change/find-change.server.ts';
import { typedOf } from './typed-answers.ts';

/**
 * Opens an unpaid application again in the wizard, with all its answers; what is stored stays until they are submitted. The
 * answer is the cookie to set, null where the browser has the draft.
 */
export async function openChange(
  platform: Platform,
  payments: Payments,
  request: Request,
  typed: string,
  language: Language,
): Promise<Outcome<{ setCookie: SetCookie | null }, ChangeRefusal>> {
  const asked = await findChangeable(platform, request, typed, 'visa');
  if (!asked.ok) return asked;
  await askBeforeChange(platform, payments, asked.value.order.number);
  const found = await findChangeable(platform, request, typed, 'visa');
  if (!found.ok) return found;
  const { number } = found.value.application;
  const draft = await openDraft(platform, request);
  // It was opened before: what has been changed since is kept.
  if (draft?.changing === number) return ok({ setCookie: null });
  const answers = await answersToChange(platform, found.value, language);
  const reopened = { applicationNumber: number, typed: answers };
  return platform.db.transaction(async (tx) => {
    if (draft?.applicationNumber === number) {
      await visaDrafts.reopen(tx, platform, draft, reopened);
      return ok({ setCookie: null });
    }
    return ok({ setCookie: await visaDrafts.reopenHere(tx, platform, { ...reopened, language }) });
  });
}

async function answersToChange(
  platform: Platform,
  { application }: Changeable,
  language: Language,
): Promise<Typed> {
  const details = await visaDetailsOf(platform.db, platform.sealer, application.id);
  if (!details) throw new Error('A visa application has no answers');
  const typed = typedOf(storedAnswers(application, details));
  const path = pathOf(await chosenCountry(platform, application.countryCode, language));
  if (!path) return typed;
  // Whose choice the speed was is not kept: one that the form would not choose is the traveller's own.
  const suitable = suitableSpeeds(typed, {
    path,
    prices: await visaPrices(platform),
    now: platform.now(),
  });
  const { selected } = choose({ wish: '', selected: '' }, suitable);
  return { ...typed, [WISH]: selected === application.service ? '' : application.service };
}
