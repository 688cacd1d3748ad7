import { dateTyped } from '~/base/dates/dates.ts';
import { readChoice, type Choice } from '~/base/default-choice.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { planNamed, type Plan } from './plans.ts';
import { selectPlan, tripDays } from './trip.ts';
import { PLAN_SHOWN, PLAN_WISH } from './typed.ts';

/** The plan selected in the controls, and the one that the visitor chose. */
export const choiceIn = (typed: Typed): Choice =>
  readChoice({
    sent: typed.productId ?? '',
    shown: typed[PLAN_SHOWN] ?? '',
    wish: typed[PLAN_WISH] ?? '',
  });

/** Days of the trip in the controls; null while they hold no valid dates. */
export function daysTyped(typed: Typed): number | null {
  const [from, until] = [dateTyped(typed, 'travelDate'), dateTyped(typed, 'returnDate')];
  return from && until ? tripDays(from, until) : null;
}

export type SettledPlan = {
  typed: Typed;
  /** Set where the page had shown another plan: the visitor must see that before anything is stored. */
  moved: { from: Plan; to: Plan } | null;
};

/**
 * What was submitted, with the plan that its dates select, as a page without scripts has not done so. No choice stays
 * no choice, and a plan that the visitor selected just now is kept for the check.
 */
export function settlePlan(typed: Typed, sold: readonly Plan[]): SettledPlan {
  const sent = typed.productId ?? '';
  const isFresh = sent !== (typed[PLAN_SHOWN] ?? '') || sent === '';
  const { choice, chosen } = selectPlan(sold, daysTyped(typed), choiceIn(typed));
  const from = planNamed(sold, sent);
  const isMoved = !isFresh && from !== null && chosen !== null && chosen.id !== sent;
  const selected = isMoved ? chosen.id : sent;
  return {
    typed: { ...typed, productId: selected, [PLAN_SHOWN]: selected, [PLAN_WISH]: choice.wish },
    moved: isMoved ? { from, to: chosen } : null,
  };
}
