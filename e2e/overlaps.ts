import type { Page } from './lale.ts';

/**
 * Elements that overlap others, overflow their part of the desk, or are cut off in the navigation, at the present
 * width. Compares visible lines of text and controls.
 */
export const findOverlaps = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Box = { left: number; top: number; right: number; bottom: number };
    type Piece = Box & { element: Element; name: string };
    const SLACK = 2;
    const clips = new Map<Element, Box | null>();

    /** The box in which its ancestors show it; null for all of it. Overflow shows in their padding. */
    const clipOf = (element: Element): Box | null => {
      const known = clips.get(element);
      if (known !== undefined) return known;
      const above = element.parentElement ? clipOf(element.parentElement) : null;
      const { overflowX, overflowY } = getComputedStyle(element);
      const own = element.getBoundingClientRect();
      const isClipping = overflowX !== 'visible' && element !== document.documentElement;
      const clip = isClipping || overflowY !== 'visible' ? cut(own, above) : above;
      clips.set(element, clip);
      return clip;
    };
    const cut = (box: Box, by: Box | null): Box => ({
      left: Math.max(box.left, by?.left ?? -Infinity),
      top: Math.max(box.top, by?.top ?? -Infinity),
      right: Math.min(box.right, by?.right ?? Infinity),
      bottom: Math.min(box.bottom, by?.bottom ?? Infinity),
    });
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('.sr-only, .skip-link, dialog, [popover], svg, kbd, option') === null;

    // What stays in view while the page scrolls beneath it lies on it by intention.
    const stickyOf = (element: Element): Element | null => {
      let above: Element | null = element;
      while (above && getComputedStyle(above).position !== 'sticky') above = above.parentElement;
      return above;
    };

    const pieces: Piece[] = [];
    const add = (element: Element, name: string, whole: Box) => {
      const box = cut(whole, clipOf(element));
      if (box.right - box.left > 1 && box.bottom - box.top > 1)
        pieces.push({ ...box, element, name: name.trim().slice(0, 40) });
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement;
      if (!element || !node.textContent?.trim() || !isSeen(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, top, right, bottom } of range.getClientRects()) {
        // A line of text is higher than its letters.
        const trimmed = (bottom - top) / 4;
        const name = node.textContent;
        add(element, name, { left, top: top + trimmed, right, bottom: bottom - trimmed });
      }
    }
    for (const control of document.querySelectorAll('input, select, textarea, button, img'))
      if (isSeen(control)) add(control, control.outerHTML, control.getBoundingClientRect());

    const found: string[] = [];
    pieces.sort((one, other) => one.top - other.top);
    for (const [index, one] of pieces.entries()) {
      for (const other of pieces.slice(index + 1)) {
        if (other.top >= one.bottom - SLACK) break;
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (wide <= SLACK || high <= SLACK) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        if (stickyOf(one.element) !== stickyOf(other.element)) continue;
        found.push(`“${one.name}” and “${other.name}” overlap by ${Math.round(wide)} px`);
      }
    }
    for (const part of document.querySelectorAll('.desk > header, #main, #main + aside')) {
      const { left, right } = part.getBoundingClientRect();
      for (const { name, element, ...box } of pieces) {
        const beyond = Math.max(box.right - right, left - box.left);
        if (part.contains(element) && beyond > SLACK)
          found.push(`“${name}” runs ${Math.round(beyond)} px out of ${part.localName}`);
      }
    }
    for (const link of document.querySelectorAll('.desk > header nav a')) {
      if (!link.checkVisibility()) continue;
      const own = link.getBoundingClientRect();
      const seen = cut(own, clipOf(link));
      if (own.right - seen.right > SLACK || seen.left - own.left > SLACK)
        found.push(`“${link.textContent}” is cut off in the navigation`);
    }
    const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (sideways > 0) found.push(`the page is ${sideways} px too wide`);
    return [...new Set(found)];
  });
