const CONTROL = 'input:not([type="hidden"]), select, textarea, button, a[href]';

/**
 * Puts the focus where a page begins that was reached without a new document: at what the address names after `#`, else
 * at the heading, unless something on the page has taken it. Otherwise it stays on the button that is gone, which is
 * nowhere: a screen reader says nothing, and the next Tab begins in the header.
 */
export function focusPage(hash: string): void {
  const named = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  const isNowhere = !document.activeElement || document.activeElement === document.body;
  if (named) focusAt(named.matches(CONTROL) ? named : (named.querySelector(CONTROL) ?? named));
  else if (isNowhere) focusAt(document.querySelector('h1'));
}

function focusAt(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  if (!element.matches(CONTROL)) element.tabIndex = -1;
  // Where the page is scrolled to is decided already.
  element.focus({ preventScroll: true });
}
