import layOut from '@react-pdf/layout';
import draw from '@react-pdf/render';
import { Font, pdf, type DocumentProps } from '@react-pdf/renderer';
import { buffer } from 'node:stream/consumers';
import PdfFile, { type PdfElement } from 'pdfkit';
import type { ReactElement } from 'react';

/** What a part of a document is (ISO 32000-1, 14.8.4): parts hold parts, the others text. */
type PartTag = 'L' | 'LI' | 'LBody' | 'Table' | 'TR' | 'TD' | 'TH';
type TextTag = 'H1' | 'H2' | 'H3' | 'P' | 'Lbl' | 'Figure' | 'Link';

declare module '@react-pdf/renderer' {
  interface NodeProps {
    /** What it is to those who do not see it. Text is a paragraph without it, all else decoration. */
    tag?: PartTag | TextTag | 'Artifact';
    /** The text that it shows, where that is drawn in pieces. */
    actual?: string;
    /** What a figure shows. */
    alt?: string;
    /** Of a TH: the cells it names. */
    scope?: 'Row' | 'Column';
    /** Of a cell: the columns it takes. */
    columns?: number;
  }
}

/** What of a node of the library is read here. */
type PdfNode = {
  type: string;
  value?: string;
  props?: {
    tag?: PartTag | TextTag | 'Artifact';
    actual?: string;
    alt?: string;
    scope?: 'Row' | 'Column';
    columns?: number;
    src?: string;
    paint?: () => void;
  };
  box?: object;
  style?: object;
  children?: PdfNode[];
};

const PARTS: ReadonlySet<string> = new Set<PartTag>([
  'L',
  'LI',
  'LBody',
  'Table',
  'TR',
  'TD',
  'TH',
]);
const byType: Readonly<Record<string, TextTag | 'Artifact'>> = {
  TEXT: 'P',
  LINK: 'Link',
  SVG: 'Artifact',
};
const ARABIC = /\p{Script=Arabic}/u;
const DIRECTION_MARKS = /[\u200e\u200f\u2066-\u2069]/g;

/** A file in which what is linked belongs to an element. */
class TaggedFile extends PdfFile {
  openLink: PdfElement | null = null;

  override link(...[left, top, width, height, address]: Parameters<PdfFile['link']>): this {
    // pdfkit writes a text as a name, and the object of a text as a text.
    const options = this.openLink && { structParent: this.openLink, Contents: Object(address) };
    return super.link(left, top, width, height, address, options ?? {});
  }
}

/**
 * Draws a document with its structure tree, which the library does not make: what is laid out gets, before and behind
 * each text, a node that draws nothing and writes the mark. Whatever stands outside a text is marked as decoration.
 */
export async function drawTagged(element: ReactElement<DocumentProps>): Promise<Buffer> {
  const { document }: { document: { props: DocumentProps } } = pdf(element).container;
  const { title, author, creationDate, language } = document.props;
  const file = new TaggedFile({
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    autoFirstPage: false,
    ...(language && { lang: language }),
    info: {
      ...(title && { Title: title }),
      ...(author && { Author: author }),
      ...(creationDate && { CreationDate: creationDate }),
      Creator: 'Lale',
      Producer: 'Lale',
    },
  });
  const laidOut: PdfNode = await Reflect.apply(layOut, undefined, [document, Font]);
  Reflect.apply(draw, undefined, [file, withMarks(file, laidOut)]);
  return buffer(file);
}

function withMarks(file: TaggedFile, document: PdfNode): PdfNode {
  const root = file.struct('Document');
  file.addStructure(root);
  /** By what a node was given: a node that goes on over the next page is given the same there. */
  const elements = new Map<unknown, PdfElement>();
  const lastIn = new Map<PdfElement, { tag: string; element: PdfElement }>();
  const elementOf = (node: PdfNode, tag: string, parent: PdfElement): PdfElement => {
    const before = lastIn.get(parent);
    // A list that follows a list goes on with it: a heading may keep the first entry of its list to itself.
    const known =
      elements.get(node.props) ?? (tag === 'L' && before?.tag === 'L' ? before.element : null);
    if (known) return known;
    const { actual, alt, scope, columns } = node.props ?? {};
    const text = actual ?? (isRun(node, tag) ? textOf(node) : '');
    const made = file.struct(tag, {
      ...(alt && { alt }),
      ...(scope && { scope }),
      // Arabic is drawn from left to right, in the shapes that letters take beside each other.
      ...((actual || ARABIC.test(text)) && { actual: text.replace(DIRECTION_MARKS, '') }),
    });
    if (columns)
      made.dictionary.data.A = { ...made.dictionary.data.A, O: 'Table', ColSpan: columns };
    if (tag === 'Link') {
      const paragraph = file.struct('P');
      parent.add(paragraph);
      paragraph.add(made);
    } else parent.add(made);
    lastIn.set(parent, { tag, element: made });
    elements.set(node.props, made);
    return made;
  };

  const mark = (paint: () => void): PdfNode => ({
    type: 'CANVAS',
    box: { left: 0, top: 0, width: 1, height: 1 },
    style: {},
    props: { paint },
  });
  const decorate = () => file.markContent('Artifact');

  /** The node as one run of content of an element. */
  const marked = (node: PdfNode, tag: string, element: PdfElement): PdfNode[] => {
    const isLink = node.props?.src !== undefined;
    return [
      mark(() => {
        file.endMarkedContent();
        element.add(file.markStructureContent(tag));
        if (isLink) file.openLink = element;
      }),
      node,
      mark(() => {
        file.openLink = null;
        file.endMarkedContent();
        decorate();
      }),
    ];
  };

  const visit = (node: PdfNode, parent: PdfElement): PdfNode[] => {
    const tag = node.props?.tag ?? byType[node.type];
    if (tag === 'Artifact') return [node];
    const element = tag ? elementOf(node, tag, parent) : parent;
    if (tag && isRun(node, tag)) return marked(node, tag, element);
    return [{ ...node, children: node.children?.flatMap((child) => visit(child, element)) ?? [] }];
  };

  const pages = document.children?.map((page) => ({
    ...page,
    children: [
      mark(decorate),
      ...(page.children?.flatMap((child) => visit(child, root)) ?? []),
      mark(() => file.endMarkedContent()),
    ],
  }));
  return { ...document, children: pages ?? [] };
}

/** Whether a node is one run of text, and no part that holds others. */
const isRun = ({ type, props }: PdfNode, tag: string): boolean =>
  type === 'TEXT' || props?.actual !== undefined || !PARTS.has(tag);

const textOf = ({ value, children = [] }: PdfNode): string =>
  value ?? children.map(textOf).join('');
