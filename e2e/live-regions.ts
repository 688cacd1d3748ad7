import { expect, type Page } from './lale.ts';

/** `title`: a document's title, at its load and at each change. `focus`: name of what got the focus. */
type Kind = 'assertive' | 'polite' | 'title' | 'focus';

/** What a page gives a screen reader to say without being asked. */
type LiveRegions = {
  /** In the order in which it was given, over all documents of the page so far: `polite: 30 days added.` */
  heard: (...kinds: Kind[]) => readonly string[];
  /**
   * Waits until exactly these lines were heard since the last call, then for longer than any announcement is held back, so
   * that one which is made twice is found. A line that ends with … says how the heard one begins. Titles and focus count only where at least one of their lines is expected.
   */
  expectHeard: (lines: readonly string[]) => Promise<void>;
};

/** Longer than `REST_MS` in `ui/fields/default-choice.tsx`, after which a choice is announced. */
const SETTLED_MS = 1200;

/**
 * Records from the next document on what a screen reader would be handed: the text that is put into or changed in a live
 * region which already stood on the page and was not hidden, a `role="alert"` also when it is inserted with its text, each
 * change of the title, and the name of whatever gets the focus. A region that is inserted filled, or shown by the same
 * change that fills it, counts as silent: many readers do not say it. Removed text is silent as well.
 *
 * An application's number, which is another each time, is written `TRV…`.
 *
 * Readers differ in when they speak; this says what they have to speak of.
 */
export async function recordLiveRegions(page: Page): Promise<LiveRegions> {
  const log: string[] = [];
  let taken = 0;
  await page.exposeFunction('reportHeard', (line: string) => void log.push(line));
  await page.addInitScript(observeLiveRegions);
  const since = (from: number, kinds: readonly string[]) =>
    log.slice(from).filter((line) => kinds.some((kind) => line.startsWith(`${kind}: `)));
  return {
    heard: (...kinds) => (kinds.length === 0 ? [...log] : since(0, kinds)),
    async expectHeard(lines) {
      const expected = lines.map((line) => line.slice(0, line.indexOf(':')));
      const kinds = ['assertive', 'polite', ...expected];
      const heard = () =>
        since(taken, kinds).map((line, index) => {
          const begins = lines[index]?.endsWith('…') ? lines[index].slice(0, -1) : null;
          return begins !== null && line.startsWith(begins) ? `${begins}…` : line;
        });
      await expect.poll(heard).toEqual(lines);
      await page.waitForTimeout(SETTLED_MS);
      expect(heard()).toEqual(lines);
      taken = log.length;
    },
  };
}

/** Runs in the page, so it stands alone. */
function observeLiveRegions() {
  if (window !== window.top) return;
  const report: (line: string) => unknown = Reflect.get(window, 'reportHeard');
  const roles: Readonly<Record<string, string>> = {
    alert: 'assertive',
    status: 'polite',
    log: 'polite',
  };
  const tidy = (text: string) => text.replace(/\s+/g, ' ').trim();
  const selector = '[aria-live], [role="alert"], [role="status"], [role="log"], output';

  function politeness(region: Element): string {
    const role = region.getAttribute('role') ?? (region.localName === 'output' ? 'status' : '');
    return region.getAttribute('aria-live') ?? roles[role] ?? 'off';
  }

  function isAtomic(region: Element): boolean {
    const own = region.getAttribute('aria-atomic');
    return own === null
      ? region.matches('[role="alert"], [role="status"], output')
      : own === 'true';
  }

  /** An open modal dialog takes everything else away from readers. */
  const isBehindDialog = (element: Element) => {
    const dialog = document.querySelector('dialog:modal');
    return dialog !== null && !dialog.contains(element) && !element.contains(dialog);
  };

  const isHidden = (element: Element) =>
    element.closest('[aria-hidden="true"]') !== null ||
    isBehindDialog(element) ||
    !element.checkVisibility({ visibilityProperty: true });

  /** The parts of a text that are read: nodes with what is said for each. */
  function* partsOf(node: Node): Generator<readonly [Node, string]> {
    if (node instanceof Text) {
      yield [node, node.data];
      return;
    }
    if (!(node instanceof Element) || node.matches('script, style') || isHidden(node)) return;
    const label = node.getAttribute('aria-label') ?? node.getAttribute('alt');
    if (label !== null && !node.matches(selector)) {
      yield [node, ` ${label} `];
      return;
    }
    const isInline = getComputedStyle(node).display.startsWith('inline');
    for (const child of node.childNodes) yield* partsOf(child);
    if (!isInline) yield [node, ' '];
  }

  const textOf = (parts: Iterable<readonly [Node, string]>) =>
    tidy([...parts].map(([, text]) => text).join(''));

  function nameOf(element: Element): string {
    const labelled = element.getAttribute('aria-labelledby');
    if (labelled !== null) {
      const labels = labelled.split(/\s+/).map((id) => document.getElementById(id));
      return tidy(labels.map((one) => (one ? textOf(partsOf(one)) : '')).join(' '));
    }
    const label = element.getAttribute('aria-label');
    if (label !== null) return label;
    const labels = 'labels' in element && element.labels instanceof NodeList ? element.labels : [];
    if (labels.length > 0) return tidy([...labels].map((one) => textOf(partsOf(one))).join(' '));
    const isNamedByContent = element.matches('a, button, summary, h1, h2, h3, h4, option');
    return isNamedByContent ? textOf(partsOf(element)) : (element.getAttribute('title') ?? '');
  }

  /** What stood in each region after the last change. */
  let standing = new Map<Element, Map<Node, string>>();
  let title: string | null = null;

  function compare(isLoad: boolean) {
    if (document.title !== title) {
      title = document.title;
      report(`title: ${title}`);
    }
    const now = new Map<Element, Map<Node, string>>();
    for (const region of document.querySelectorAll(selector)) {
      const kind = politeness(region);
      if (kind === 'off' || isHidden(region)) continue;
      // A region inside a region speaks for itself.
      const own = [...partsOf(region)].filter(
        ([node]) =>
          (node instanceof Element ? node : node.parentElement)?.closest(selector) === region,
      );
      now.set(region, new Map(own));
      if (isLoad) continue;
      const before =
        standing.get(region) ?? (region.getAttribute('role') === 'alert' ? new Map() : null);
      if (before === null) continue;
      const added = own.filter(([node, text]) => tidy(text) === '' || before.get(node) !== text);
      const text = textOf(added) === '' ? '' : textOf(isAtomic(region) ? own : added);
      if (text !== '') report(`${kind}: ${text.replace(/\b(TR[VIG])[0-9A-Z]{13}\b/g, '$1…')}`);
    }
    standing = now;
  }

  addEventListener('DOMContentLoaded', () => {
    compare(true);
    new MutationObserver(() => compare(false)).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  addEventListener(
    'focus',
    ({ target }) => {
      if (!(target instanceof Element)) return;
      report(`focus: ${nameOf(target) || `nameless ${target.localName}`}`);
    },
    true,
  );
}
