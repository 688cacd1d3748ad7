import { readChoice, type Choice } from '~/base/default-choice.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { planNamed, type Plan } from './plans.ts';
import { selectPlan, tripDays } from './trip.ts';
import { dateTyped, PLAN_SHOWN, PLAN_WISH } from './typed.ts';

/** The plan that is selected in the controls, and which one the visitor chose himself. */
export const choiceIn = (typed: Typed): Choice =>
  readChoice({
    sent: typed.productId ?? '',
    shown: typed[PLAN_SHOWN] ?? '',
    wish: typed[PLAN_WISH] ?? '',
  });

/** Days of the trip in the controls; null while they hold no whole one. */
export function daysTyped(typed: Typed): number | null {
  const [from, until] = [dateTyped(typed, 'travelDate'), dateTyped(typed, 'returnDate')];
  return from && until ? tripDays(from, until) : null;
}

export type SettledPlan = {
  typed: Typed;
  /** The page that sent this showed another plan: the visitor has to hear of it before anything is stored. */
  moved: { from: Plan; to: Plan } | null;
};

/**
 * What was sent, with the plan that its dates select: without scripts nobody has said so yet. Nothing chosen stays nothing,
 * and a plan that was checked just now is judged as it is.
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
