import { useEffect, useRef } from 'react';

/**
 * Runs something once no button of the mouse is down: a message that appears between press and release moves the
 * button away from under the pointer, and the click is lost.
 */
export function useReleased(): (work: () => void) => void {
  const isDown = useRef(false);
  useEffect(() => {
    // The scripts may arrive in the middle of a press.
    isDown.current = document.querySelector(':active') !== null;
    const down = () => void (isDown.current = true);
    const up = () => void (isDown.current = false);
    addEventListener('pointerdown', down, true);
    addEventListener('pointerup', up, true);
    addEventListener('pointercancel', up, true);
    return () => {
      removeEventListener('pointerdown', down, true);
      removeEventListener('pointerup', up, true);
      removeEventListener('pointercancel', up, true);
    };
  }, []);
  return (work) => {
    if (!isDown.current) return work();
    // After the click that the release makes.
    addEventListener('pointerup', () => setTimeout(work), { once: true });
  };
}
