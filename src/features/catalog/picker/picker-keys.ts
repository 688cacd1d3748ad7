/**
 * Where the highlight goes in a list of `count` options when a key is pressed; -1 is nowhere. Undefined: the key
 * means nothing to the list. Home and End stay with the text that is being typed (WAI-ARIA, editable combobox).
 */
export function movedHighlight(key: string, highlight: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return highlight >= last ? 0 : highlight + 1;
    case 'ArrowUp':
      return highlight <= 0 ? last : highlight - 1;
    case 'PageDown':
      return Math.min(highlight + 6, last);
    case 'PageUp':
      return Math.max(highlight - 6, 0);
    default:
      return undefined;
  }
}

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/**
 * What a key adds to the search text while the focus is still on the select: the first opens the list, further ones are
 * added while it loads (`begun` is the text so far). Undefined leaves the key to the browser.
 */
export function openingText(
  { key, ctrlKey, metaKey, altKey }: Key,
  begun = '',
): string | undefined {
  if (ctrlKey || metaKey) return undefined;
  if (key === 'ArrowDown' || key === 'ArrowUp') return '';
  if (altKey) return undefined;
  if (key === ' ' && begun !== '') return key;
  if (key === ' ' || key === 'Enter' || key === 'F4') return '';
  // Keys with longer names write nothing: Tab, Dead, Process, …
  return /^.$/u.test(key) ? key : undefined;
}
