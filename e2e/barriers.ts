import { expect, type Page } from './lale.ts';

/** Controls below 44 px, except links inside sentences and the staff dot (WCAG requires 24). */
export const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href],button,input,select,textarea,summary')]
      .filter((element) => {
        const own = element.getBoundingClientRect();
        const isShown = element.checkVisibility({
          visibilityProperty: true,
          opacityProperty: true,
        });
        if (!isShown || own.width <= 1 || element.closest('.staff-dot, .skip-link')) return false;
        const sentence = element.closest('p, li, td, dd');
        const isInSentence =
          getComputedStyle(element).display === 'inline' &&
          sentence?.textContent.trim() !== element.textContent.trim();
        if (isInSentence) return false;
        // Radio buttons and check boxes can be pressed by their label, too.
        const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
        return Math.max(own.height, label?.getBoundingClientRect().height ?? 0) < 43.5;
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

/** What still moves with reduced motion. */
export const movingParts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const { animationName, transitionDuration } = getComputedStyle(element);
        const durations = transitionDuration.split(',').map((one) => Number.parseFloat(one));
        return animationName !== 'none' || durations.some((seconds) => seconds > 0);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

/** Controls visible by their background only, which forced colours remove. */
export const shapelessControls = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a.button,button,input,select,textarea')]
      .filter((element) => {
        const own = element.getBoundingClientRect();
        if (!element.checkVisibility({ opacityProperty: true }) || own.width <= 1) return false;
        // Drawn by the system in its own colours.
        const isNative =
          element instanceof HTMLInputElement &&
          ['radio', 'checkbox'].includes(element.type) &&
          getComputedStyle(element).appearance === 'auto';
        if (isNative) return false;
        const hasEdge = (one: Element) => {
          const style = getComputedStyle(one);
          return style.borderTopStyle !== 'none' && Number.parseFloat(style.borderTopWidth) >= 1;
        };
        const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
        const framed = [element, label, label?.parentElement].some((one) => one && hasEdge(one));
        return !framed && !getComputedStyle(element).textDecorationLine.includes('underline');
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

/** Tabs through the page: each stop is visible and has a focus mark, and they come in page order. */
export async function expectKeyboardWay(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  const unseen: string[] = [];
  let stops = 0;
  for (; stops < 150; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const { top, bottom } = element.getBoundingClientRect();
      // For radio buttons in a card or segment, the mark is around it.
      const marked = [element, element.closest('label'), element.closest('fieldset')].some(
        (one) => one && getComputedStyle(one).outlineStyle !== 'none',
      );
      const isInOrder = element.tabIndex === 0;
      const isSeen = marked && isInOrder && bottom > 0 && top < innerHeight;
      return { isSeen, html: element.outerHTML.slice(0, 120) };
    });
    if (stop === null) break;
    if (!stop.isSeen) unseen.push(stop.html);
  }
  expect(unseen).toEqual([]);
  expect(stops).toBeGreaterThan(10);
}
