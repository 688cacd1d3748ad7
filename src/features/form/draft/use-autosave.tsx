import { useCallback, useEffect, useRef, type RefObject } from 'react';

const PAUSE_MS = 800;

/** The address to which a page's answers are sent, and the step they belong to. */
export type AutosaveTarget = { address: string; step: string };

/**
 * Saves answers to the server's draft while typing, so that a reload or a lost connection loses nothing. Messages are
 * numbered; one that arrives after a later one is not written. `autosaveTarget`: null where nothing is saved.
 */
export function useAutosave(
  form: RefObject<HTMLFormElement | null>,
  autosaveTarget: AutosaveTarget | null,
) {
  const address = autosaveTarget?.address;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<URLSearchParams>(undefined);
  const turn = useRef(0);

  const send = useCallback(() => {
    clearTimeout(timer.current);
    const body = pending.current;
    if (!body) return;
    pending.current = undefined;
    // The response is not needed: what is lost here is sent again with Next.
    if (!address) return;
    fetch(address, { method: 'POST', body, keepalive: true }).catch(() => undefined);
  }, [address]);

  useEffect(() => {
    /** The form is being submitted with all its answers, by the router or by the browser (another language). */
    const last = (event: SubmitEvent) => {
      if (event.target !== form.current) return;
      pending.current = undefined;
      turn.current += 1;
      const control = form.current?.elements.namedItem('turn');
      if (control instanceof HTMLInputElement) control.value = String(turn.current);
    };
    addEventListener('submit', last, true);
    addEventListener('pagehide', send);
    return () => {
      removeEventListener('submit', last, true);
      removeEventListener('pagehide', send);
      send();
    };
  }, [form, send]);

  return {
    soon() {
      if (!autosaveTarget || !form.current) return;
      const body = new URLSearchParams();
      for (const [name, value] of new FormData(form.current)) {
        if (typeof value === 'string') body.append(name, value);
      }
      turn.current += 1;
      body.set('turn', String(turn.current));
      body.set('step', autosaveTarget.step);
      pending.current = body;
      clearTimeout(timer.current);
      timer.current = setTimeout(send, PAUSE_MS);
    },
  };
}
