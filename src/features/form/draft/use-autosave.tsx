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

  const queue = useRef<Promise<unknown>>(Promise.resolve());

  /**
   * Sends what changes the draft one after the other: the first answer brings the cookie of the draft, and a second
   * request without it would begin another one.
   */
  const inTurn = useCallback(<T,>(work: () => Promise<T>): Promise<T> => {
    const done = queue.current.then(work);
    queue.current = done.catch(() => undefined);
    return done;
  }, []);

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    const body = pending.current;
    if (!body) return;
    pending.current = undefined;
    // The response is not needed: what is lost here is sent again with Next.
    if (!address) return;
    await fetch(address, { method: 'POST', body, keepalive: true }).catch(() => undefined);
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
    /** The page goes: no turn comes any more. */
    const saveNow = () => void save();
    addEventListener('submit', last, true);
    addEventListener('pagehide', saveNow);
    return () => {
      removeEventListener('submit', last, true);
      removeEventListener('pagehide', saveNow);
      saveNow();
    };
  }, [form, save]);

  return {
    inTurn,
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
      timer.current = setTimeout(() => void inTurn(save), PAUSE_MS);
    },
  };
}
