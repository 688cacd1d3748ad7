import { useEffect, useEffectEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { SIGN_IN_LINK } from '../frame/live-notice.tsx';
import { EVENTS_PATH } from './watch-changes.ts';

/**
 * Keeps what is typed where the page knows that the session has ended: a form is not sent, because the answer would be the
 * sign-in page in place of this one. `onOut`: the session has ended; `again`: looks whether the reader has signed in
 * elsewhere.
 */
export function useSessionGuard({
  isOn,
  isOut,
  onOut,
  again,
}: {
  isOn: boolean;
  isOut: boolean;
  onOut: () => void;
  again: () => void;
}): void {
  const asked = useRef<HTMLFormElement | null>(null);
  const hold = useEffectEvent((event: SubmitEvent) => {
    const { target: form, submitter } = event;
    if (!isOn || !(form instanceof HTMLFormElement) || form.method !== 'post') return;
    if (asked.current === form) {
      asked.current = null;
      return;
    }
    if (!isOut) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void ask(form, submitter);
  });
  async function ask(form: HTMLFormElement, submitter: HTMLElement | null) {
    if (await isSignedIn()) {
      asked.current = form;
      form.requestSubmit(submitter);
      return;
    }
    flushSync(onOut);
    const shown = document.querySelector('dialog:modal') ?? document;
    shown.querySelector<HTMLElement>(`[${SIGN_IN_LINK}]`)?.focus();
  }
  useEffect(() => {
    const submit = (event: SubmitEvent) => hold(event);
    // On the window, before all other listeners.
    addEventListener('submit', submit, true);
    return () => removeEventListener('submit', submit, true);
  }, []);
  const look = useEffectEvent(() => {
    if (isOut && document.visibilityState === 'visible') again();
  });
  useEffect(() => {
    const seen = () => look();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);
}

/** Whether the service still knows the session; also where it does not answer, which the form itself will tell. */
async function isSignedIn(): Promise<boolean> {
  const aborting = new AbortController();
  try {
    const { status } = await fetch(EVENTS_PATH, { signal: aborting.signal });
    return status !== 401;
  } catch {
    return true;
  } finally {
    // The stream of events itself is not wanted.
    aborting.abort();
  }
}
