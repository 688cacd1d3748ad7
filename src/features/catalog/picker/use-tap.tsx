import { useEffect, useEffectEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/** A finger that moves further, in CSS pixels, is scrolling and not tapping. */
const MOST_MOVE_PX = 10;

/**
 * Calls `onTap` for a tap and prevents the browser's default: phones open a select's native list from the touch itself,
 * which later mouse events cannot stop. Screen readers send no touch events and so still get the native list. The state
 * changes synchronously, because iOS shows its keyboard only for a focus set inside the event.
 */
export function useTap(target: RefObject<HTMLElement | null>, onTap: () => void): void {
  const tapped = useEffectEvent(onTap);
  useEffect(() => {
    const element = target.current;
    if (!element) return undefined;
    let start: Touch | undefined;
    const began = (event: TouchEvent) => {
      start = event.touches.length === 1 ? event.touches[0] : undefined;
    };
    const ended = (event: TouchEvent) => {
      const end = event.changedTouches[0];
      if (!start || !end || !event.cancelable) return;
      const distance = Math.hypot(end.clientX - start.clientX, end.clientY - start.clientY);
      if (distance > MOST_MOVE_PX) return;
      event.preventDefault();
      flushSync(tapped);
    };
    element.addEventListener('touchstart', began, { passive: true });
    element.addEventListener('touchend', ended);
    return () => {
      element.removeEventListener('touchstart', began);
      element.removeEventListener('touchend', ended);
    };
  }, [target]);
}
