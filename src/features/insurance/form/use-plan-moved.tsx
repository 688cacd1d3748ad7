import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { REST_MS } from '~/ui/fields/default-choice.tsx';
import type { PlanMove } from './form-view.ts';
import type { Plan } from '../rules/plans.ts';
import type { Selection } from '../rules/trip.ts';

/**
 * What follows from the dates, once they rest. `moved`: the last change of plan made by the form, shown beside the dates;
 * null once the visitor chooses a plan. `told`: what screen readers are told; null until something changes. `begun`: the
 * change that the page begins with.
 */
export function usePlanMoved(
  { chosen, choice }: Selection,
  days: number | null,
  begun: PlanMove | null,
) {
  const [moved, setMoved] = useState(begun);
  const [told, setTold] = useState<{ plan: Plan | null; days: number | null } | null>(null);
  const announced = useRef({ plan: chosen, wish: choice.wish, days });

  useEffect(() => {
    if (begun) setMoved(begun);
  }, [begun]);

  const tell = useEffectEvent(
    (id: string | undefined, wish: Selection['choice']['wish'], length: number | null) => {
      const before = announced.current;
      const isMoved = chosen !== null && id !== before.plan?.id;
      if (!isMoved && length === before.days) return undefined;
      const timer = setTimeout(() => {
        announced.current = { plan: chosen ?? before.plan, wish, days: length };
        setTold({ plan: chosen, days: length });
        if (!isMoved) return;
        const isVisitors = wish !== before.wish && wish === chosen.id;
        setMoved(before.plan && !isVisitors ? { from: before.plan, to: chosen } : null);
      }, REST_MS);
      return () => clearTimeout(timer);
    },
  );
  // Compared by id, as lists are made anew.
  const chosenId = chosen?.id;
  useEffect(() => tell(chosenId, choice.wish, days), [chosenId, choice.wish, days]);

  return { moved, told };
}
