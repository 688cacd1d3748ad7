/**
 * Lets React go on in a page that the browser translates. Chrome and others put every text into `<font>`: they move the
 * text there, or leave it out and show another. React then removes a text from where it is no more, or inserts before
 * it, and the page was gone (facebook/react#11538). Here the element that holds or replaces the text stands for it, and a
 * text that changes comes back, for the browser to translate anew.
 */
export function tolerateTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype;
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  const { get: readValue, set: writeValue } = value ?? {};
  if (!readValue || !writeValue) return;

  const replacements = new WeakMap<Node, Node>();
  const observer = new MutationObserver(note);
  observer.observe(document, { childList: true, subtree: true });

  /** Which `<font>` came for which text: at once, before it went, or after. */
  function note(records: readonly MutationRecord[]): void {
    let last: MutationRecord | undefined;
    for (const record of records) {
      for (const text of record.removedNodes) {
        if (!(text instanceof Text)) continue;
        const beside = [...record.addedNodes, record.previousSibling, record.nextSibling];
        const font = beside.find(isFont);
        if (font) replacements.set(text, font);
      }
      const [font] = record.addedNodes;
      const [before] = last?.removedNodes ?? [];
      if (font && before instanceof Text && isFont(font) && last && isSamePlace(last, record)) {
        replacements.set(before, font);
      }
      last = record;
    }
  }

  /** The child of `parent` that is, holds or replaces the node; null where there is none. */
  function placeIn(parent: Node, node: Node): Node | null {
    let at: Node | null = node;
    while (at && at.parentNode !== parent && isFont(at.parentNode)) at = at.parentNode;
    if (at?.parentNode === parent) return at;
    const font = replacements.get(node);
    return font ? placeIn(parent, font) : null;
  }

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this || !isOfPage(this)) {
      removeChild.call(this, child);
      return child;
    }
    note(observer.takeRecords());
    const place = placeIn(this, child);
    if (place) removeChild.call(this, place);
    return child;
  };

  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    node: T,
    child: Node | null,
  ): T {
    if (child === null || child.parentNode === this || !isOfPage(this)) {
      insertBefore.call(this, node, child);
      return node;
    }
    note(observer.takeRecords());
    insertBefore.call(this, node, placeIn(this, child));
    return node;
  };

  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    get: readValue,
    set(this: Node, text: string | null) {
      if (this instanceof Text && !this.isConnected) {
        note(observer.takeRecords());
        const font = replacements.get(this);
        if (font?.isConnected) font.parentNode?.replaceChild(this, font);
      }
      writeValue.call(this, text);
    },
  });
}

const isFont = (node: Node | null): node is Node => node?.nodeName === 'FONT';

/** Errors of other documents stay errors. */
const isOfPage = (node: Node): boolean => node.ownerDocument === document;

const isSamePlace = (one: MutationRecord, other: MutationRecord): boolean =>
  one.target === other.target &&
  one.previousSibling === other.previousSibling &&
  one.nextSibling === other.nextSibling;
