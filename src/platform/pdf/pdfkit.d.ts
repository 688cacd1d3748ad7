/** What of pdfkit, which comes without types, is used here; @react-pdf draws with it. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  /** A run of content of a page that belongs to an element. */
  type PdfContent = { refs: readonly object[] };

  /** An element of the structure tree (ISO 32000-1, 14.7.2). */
  export type PdfElement = {
    dictionary: { data: { A?: object } };
    add(child: PdfElement | PdfContent): void;
  };

  export default class PdfFile extends Readable {
    constructor(options: {
      pdfVersion: string;
      tagged: boolean;
      lang?: string;
      displayTitle: boolean;
      autoFirstPage: boolean;
      info: Readonly<Record<string, string | Date>>;
    });
    struct(
      tag: string,
      options?: { alt?: string; actual?: string; scope?: 'Row' | 'Column' },
    ): PdfElement;
    addStructure(element: PdfElement): void;
    markContent(tag: string): void;
    markStructureContent(tag: string): PdfContent;
    endMarkedContent(): void;
    link(
      ...box: [
        left: number,
        top: number,
        width: number,
        height: number,
        address: string,
        options?: object,
      ]
    ): this;
  }
}
