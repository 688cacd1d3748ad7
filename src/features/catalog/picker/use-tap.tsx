import { useEffect, useEffectEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/** How far a finger may slide, in CSS pixels, before the touch is a scroll and no tap. */
const SLIP = 10;

/**
 * Calls `onTap` for a finger's tap and keeps the browser's own answer away: a telephone opens a select's wheel from
 * the touch itself, which the later mouse events can no longer stop. Screen readers send no touches and so still get
 * the wheel. The state changes at once, because iOS shows its keyboard only for a focus set inside the event.
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
      if (distance > SLIP) return;
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
