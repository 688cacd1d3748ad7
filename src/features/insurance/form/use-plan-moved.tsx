import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PlanMove } from './form-view.ts';
import type { Selection } from '../rules/trip.ts';

/** Milliseconds without typing: a date changes with every key, so the message waits. */
const REST_MS = 800;

/**
 * The last change of plan made by the form, shown beside the dates; null once the visitor chooses a plan. `begun`: the
 * change that the page begins with.
 */
export function usePlanMoved(
  { chosen, choice }: Selection,
  begun: PlanMove | null,
): PlanMove | null {
  const [moved, setMoved] = useState(begun);
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
    }, REST_MS);
    return () => clearTimeout(timer);
  });
  // Compared by id, as lists are made anew.
  const chosenId = chosen?.id;
  useEffect(() => tell(chosenId, choice.wish), [chosenId, choice.wish]);

  return moved;
}
