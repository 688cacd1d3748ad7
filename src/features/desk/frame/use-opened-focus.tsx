import { useEffect, useEffectEvent } from 'react';

/** Whether the document itself has been shown, which browser and screen reader announce by themselves. */
let isShown = false;

export const isDocumentShown = (): boolean => isShown;

/** To be called by what stands around every page of the desk, whose effects run after those of the page. */
export function useDocumentShown(): void {
  useEffect(() => {
    isShown = true;
  }, []);
}

/**
 * Leads the focus to the name of an application that is opened without a new document, so that screen readers say whose it
 * is and keys go on from there. Not where something is wrong with it, which takes the focus itself.
 */
export function useOpenedFocus(number: string, isWrong: boolean): void {
  const open = useEffectEvent(() => {
    if (isShown && !isWrong)
      document.getElementById('application-name')?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (number !== '') open();
  }, [number]);
}

/** Leads the focus from an application that was closed back to its row, or to the page. */
export function useClosedFocus(number: string | undefined): void {
  useEffect(() => {
    if (number === undefined) return undefined;
    return () => {
      // After what is shown instead has taken it, where it does.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const row = document.querySelector<HTMLElement>(`[data-number="${number}"] .queue-link`);
        (row ?? document.getElementById('main'))?.focus({ preventScroll: true });
      });
    };
  }, [number]);
}
