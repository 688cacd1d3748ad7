import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigation, useRevalidator } from 'react-router';
import { parse } from 'devalue';

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

/** On a button that Ctrl+Enter presses from anywhere on its page. */
export const SEND_KEYS = 'Control+Enter Meta+Enter';

/** Within this time what was sent is not sent again, also before the page shows that it is on its way. */
const ONCE_MS = 1000;

/**
 * Ctrl+Enter, or ⌘+Enter, sends what somebody writes: it presses the first button after the text that sends its form.
 * Elsewhere it presses the page's own button for it, if there is one. What a press asks first, such as a box to tick or
 * a page to confirm, is asked as well. Where the focus goes then, see `useKeptFocus`.
 */
export function useSendKey(): void {
  const { state } = useNavigation();
  const sentAt = useRef(-ONCE_MS);
  // What was refused is sent again as soon as the answer is there.
  useEffect(() => {
    if (state === 'idle') sentAt.current = -ONCE_MS;
  }, [state]);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing, target } = event;
    if (key !== 'Enter' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
    const button = isOfText(target)
      ? sendButton(target)
      : document.querySelector('dialog:modal')
        ? null
        : document.querySelector<HTMLElement>(`[aria-keyshortcuts="${SEND_KEYS}"]`);
    if (!button) return;
    event.preventDefault();
    const isSending = state !== 'idle' || event.timeStamp - sentAt.current < ONCE_MS;
    if (repeat || isComposing || isSending || button.ariaDisabled === 'true') return;
    button.click();
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => press(event);
    const sent = ({ timeStamp }: Event) => {
      sentAt.current = timeStamp;
    };
    document.addEventListener('keydown', pressed);
    document.addEventListener('submit', sent, true);
    return () => {
      document.removeEventListener('keydown', pressed);
      document.removeEventListener('submit', sent, true);
    };
  }, []);
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A text, and any other control of a form that sends one. */
function isOfText(target: EventTarget | null): target is Control {
  if (target instanceof HTMLTextAreaElement) return true;
  const isControl = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  return isControl && target.form?.querySelectorAll('textarea').length === 1;
}

/** Of a form with several buttons, as that of a group, each text is sent by the one that follows it. */
function sendButton(text: Control): HTMLElement | null {
  const after = Node.DOCUMENT_POSITION_FOLLOWING;
  const buttons = [...(text.form?.elements ?? [])].filter(
    (one): one is HTMLButtonElement => one instanceof HTMLButtonElement && one.type === 'submit',
  );
  return buttons.find((one) => (text.compareDocumentPosition(one) & after) !== 0) ?? null;
}

const STORED = 'desk-keys';
const CHANGED = 'desk-keys-changed';

/** Whether the desk's keyboard shortcuts are on in this browser; they can be turned off (WCAG 2.2, 2.1.4). */
export const areShortcutsOn = (): boolean => localStorage.getItem(STORED) !== 'off';

export function setShortcuts(on: boolean): void {
  localStorage.setItem(STORED, on ? 'on' : 'off');
  dispatchEvent(new Event(CHANGED));
}

export function subscribeToShortcuts(changed: () => void): () => void {
  addEventListener(CHANGED, changed);
  return () => removeEventListener(CHANGED, changed);
}

/** Where letters are typed, or choose an option. */
const TYPED_IN =
  'input:not([type="file"], [type="checkbox"], [type="radio"], [type="submit"], [type="button"]), textarea, select, [contenteditable], dialog[open]';

/** Whether a key press is a shortcut, not part of typing or of a browser's own command. */
export const isDeskKey = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && !(target instanceof HTMLElement && target.closest(TYPED_IN));

/** What one page loads of the next application before it is opened: the data of its page and of the queue beside it. */
type Ahead = { number: string; page: unknown; queue: unknown };

// Without zod: its objects would join the file of scripts that visitors load, too.
const isAhead = (value: unknown): value is Ahead =>
  typeof value === 'object' &&
  value !== null &&
  'number' in value &&
  typeof value.number === 'string' &&
  'page' in value &&
  'queue' in value;

/** Longer than anybody looks at an email; what is older is loaded anew. */
const FRESH_MS = 60_000;
/** After the page itself is there. */
const WAIT_MS = 150;

let kept: (Ahead & { at: number }) | null = null;

/** What was loaded of this application, as long as it is fresh; shown at once, and checked again by `useRevalidation`. */
export function loadedAhead(number: string | undefined): Ahead | null {
  return kept && kept.number === number && performance.now() - kept.at < FRESH_MS ? kept : null;
}

/**
 * Loads the application that "next" would open now, without claiming it: beside a decision that is about to be sent, or
 * was. `isEnding`: false loads nothing. A failure is ignored: it is loaded later.
 */
export function useLoadAhead({
  list,
  not,
  isEnding = true,
}: {
  /** The query of the list that "next" goes through. */
  list: string;
  not: string;
  isEnding?: boolean;
}): void {
  useEffect(() => {
    if (!isEnding) return undefined;
    const aborting = new AbortController();
    const timer = setTimeout(() => void load({ list, not }, aborting.signal), WAIT_MS);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [list, not, isEnding]);
}

async function load(wanted: Record<string, string>, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(`/admin/ahead?${new URLSearchParams(wanted)}`, { signal });
    if (!response.ok) return;
    const read: unknown = parse(await response.text());
    const mine = isAhead(read) ? { ...read, at: performance.now() } : null;
    kept = mine;
    // Personal data stays no longer in memory than it is of use.
    setTimeout(() => {
      if (kept === mine) kept = null;
    }, FRESH_MS);
  } catch {
    // The application is loaded when it is opened.
  }
}

/** Loads an application again that was shown as it had been loaded ahead: something may have changed since. */
export function useRevalidation(number: string): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (loadedAhead(number) === null) return;
    kept = null;
    void revalidate();
  }, [number, revalidate]);
}
