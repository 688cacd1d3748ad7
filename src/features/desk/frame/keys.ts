const STORED = 'desk-keys';
const CHANGED = 'desk-keys-changed';

/** Whether the desk's keyboard shortcuts are on in this browser; they can be turned off (WCAG 2.2, 2.1.4). */
export const areKeysOn = (): boolean => localStorage.getItem(STORED) !== 'off';

export function turnKeys(on: boolean): void {
  localStorage.setItem(STORED, on ? 'on' : 'off');
  dispatchEvent(new Event(CHANGED));
}

export function onKeysTurned(changed: () => void): () => void {
  addEventListener(CHANGED, changed);
  return () => removeEventListener(CHANGED, changed);
}

/** Where letters are typed, or choose an option. */
const TYPED_IN =
  'input:not([type="file"], [type="checkbox"], [type="radio"], [type="submit"], [type="button"]), textarea, select, [contenteditable], dialog[open]';

/** Whether a key press is a shortcut, not part of typing or of a browser's own command. */
export const isDeskKey = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && !(target instanceof HTMLElement && target.closest(TYPED_IN));
