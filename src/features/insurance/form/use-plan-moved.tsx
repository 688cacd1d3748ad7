import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { REST_MS } from '~/ui/fields/default-choice.tsx';
import type { PlanMove } from './form-view.ts';
import type { Plan } from '../rules/plans.ts';
import type { Selection } from '../rules/trip.ts';

/**
 * `moved`: the last change of plan made by the form, shown beside the dates; null once the visitor chooses a plan. `told`:
 * the plan that has come about since, for screen readers. Both once the dates rest. `begun`: the change that the page
 * begins with.
 */
export function usePlanMoved({ chosen, choice }: Selection, begun: PlanMove | null) {
  const [moved, setMoved] = useState(begun);
  const [told, setTold] = useState<Plan | null>(null);
  const announced = useRef({ plan: chosen, wish: choice.wish });

  useEffect(() => {
    if (begun) setMoved(begun);
  }, [begun]);

  const tell = useEffectEvent((id: string | undefined, wish: Selection['choice']['wish']) => {
    if (!chosen || id === announced.current.plan?.id) return undefined;
    const timer = setTimeout(() => {
      const before = announced.current;
      announced.current = { plan: chosen, wish };
      const isVisitors = wish !== before.wish && wish === chosen.id;
      setMoved(before.plan && !isVisitors ? { from: before.plan, to: chosen } : null);
      setTold(chosen);
    }, REST_MS);
    return () => clearTimeout(timer);
  });
  // Compared by id, as lists are made anew.
  const chosenId = chosen?.id;
  useEffect(() => tell(chosenId, choice.wish), [chosenId, choice.wish]);

  return { moved, told };
}
