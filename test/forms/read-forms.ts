import { parse, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export type Control = {
  name: string;
  /** `select`, `textarea`, or the type of the `input`. */
  kind: string;
  value: string;
  /** A radio button that the page has chosen. */
  isChosen: boolean;
};

export type RenderedForm = {
  /** Of another page; null for the page's own. */
  action: string | null;
  method: 'get' | 'post';
  isMultipart: boolean;
  controls: readonly Control[];
  /** Its buttons that send something, with what they send. */
  buttons: readonly { name: string; value: string; action: string | null }[];
};

const isElement = (node: Node): node is Element => 'tagName' in node;

function* elementsIn(node: Node): Generator<Element> {
  if (isElement(node)) yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* elementsIn(child);
}

const attribute = ({ attrs }: Element, name: string): string | null =>
  attrs.find((one) => one.name === name)?.value ?? null;

const has = (element: Element, name: string): boolean => attribute(element, name) !== null;

function textIn(node: Node): string {
  if ('value' in node && typeof node.value === 'string') return node.value;
  return 'childNodes' in node ? node.childNodes.map(textIn).join('') : '';
}

function valueOf(element: Element): string {
  if (element.tagName === 'textarea') return textIn(element).replace(/^\n/, '');
  if (element.tagName !== 'select') return attribute(element, 'value') ?? '';
  const options = [...elementsIn(element)].filter(({ tagName }) => tagName === 'option');
  const chosen = options.find((one) => has(one, 'selected')) ?? options[0];
  return chosen ? (attribute(chosen, 'value') ?? textIn(chosen)) : '';
}

/** What a browser would do with a page's forms, and what the page says of refused fields. */
export function readPage(html: string) {
  const all = [...elementsIn(parse(html))];
  const forms = all
    .filter(({ tagName }) => tagName === 'form')
    .map((form): RenderedForm => {
      const id = attribute(form, 'id');
      const inside = new Set(elementsIn(form));
      const own = all.filter((one) => {
        const owner = attribute(one, 'form');
        return owner === null ? inside.has(one) : owner === id;
      });
      const controls = own
        .filter(({ tagName }) => ['input', 'select', 'textarea'].includes(tagName))
        .filter((one) => has(one, 'name') && !has(one, 'disabled') && !has(one, 'readonly'))
        .map((one) => ({
          name: attribute(one, 'name') ?? '',
          kind: one.tagName === 'input' ? (attribute(one, 'type') ?? 'text') : one.tagName,
          value: valueOf(one),
          isChosen: has(one, 'checked'),
        }));
      const buttons = own
        .filter((one) => one.tagName === 'button' && attribute(one, 'type') !== 'button')
        .filter((one) => !has(one, 'disabled'))
        .map((one) => ({
          name: attribute(one, 'name') ?? '',
          value: attribute(one, 'value') ?? '',
          action: attribute(one, 'formaction'),
        }));
      return {
        action: attribute(form, 'action'),
        method: attribute(form, 'method')?.toLowerCase() === 'post' ? 'post' : 'get',
        isMultipart: attribute(form, 'enctype') === 'multipart/form-data',
        controls: controls.filter(({ kind }) => kind !== 'submit'),
        buttons,
      };
    });
  const classes = (one: Element) => (attribute(one, 'class') ?? '').split(/\s+/);
  const summary = all.find((one) => classes(one).includes('error-summary'));
  return {
    forms,
    title: textIn(all.find(({ tagName }) => tagName === 'title') ?? parse('')),
    ids: new Set(all.flatMap((one) => attribute(one, 'id') ?? [])),
    /** Fields that are named by a message beside them. */
    refused: all
      .filter((one) => classes(one).includes('field-error'))
      .map((one) => (attribute(one, 'id') ?? '').replace(/-error$/, '')),
    summary: summary && {
      takesFocus: has(summary, 'autofocus'),
      links: [...elementsIn(summary)]
        .filter(({ tagName }) => tagName === 'a')
        .map((one) => (attribute(one, 'href') ?? '').replace(/^#/, '')),
      text: textIn(summary),
    },
    /** Messages that no summary holds. */
    alerts: all
      .filter((one) => attribute(one, 'role') === 'alert' && one.parentNode !== summary)
      .map((one) => textIn(one)),
  };
}
