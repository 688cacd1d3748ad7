import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigation } from 'react-router';

/** On a button that Ctrl+Enter presses from anywhere on its page. */
export const SEND_KEYS = 'Control+Enter Meta+Enter';

/** Within this time what was sent is not sent again, also before the page shows that it is on its way. */
const ONCE_MS = 1000;

/**
 * Ctrl+Enter, or ⌘+Enter, sends what somebody writes: it presses the first button after the text that sends its form.
 * Elsewhere it presses the page's own button for it, if there is one. What a press asks first, such as a box to tick or
 * a page to confirm, is asked as well. Where the focus goes then, see `use-kept-focus.tsx`.
 */
export function useSendKey(): void {
  const { state } = useNavigation();
  const sentAt = useRef(-ONCE_MS);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing, target } = event;
    if (key !== 'Enter' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
    const button =
      target instanceof HTMLTextAreaElement
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

/** Of a form with several buttons, as that of a group, each text is sent by the one that follows it. */
function sendButton(text: HTMLTextAreaElement): HTMLElement | null {
  const after = Node.DOCUMENT_POSITION_FOLLOWING;
  const buttons = [...(text.form?.elements ?? [])].filter(
    (one): one is HTMLButtonElement => one instanceof HTMLButtonElement && one.type === 'submit',
  );
  return buttons.find((one) => (text.compareDocumentPosition(one) & after) !== 0) ?? null;
}
