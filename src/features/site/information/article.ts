/** A parsed text of `text/<language>/`: plain data, so that it can be sent to the browser. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

/** Parts rendered from data: a paragraph `{{figure.<name>}}`. */
export const figures = [
  'prices.without_document',
  'prices.with_document',
  'prices.insurance',
  'countries.without_document',
  'countries.with_document',
  'countries.notes',
  'conditions',
  'stages',
  'closed',
  'promises',
] as const;
export type FigureName = (typeof figures)[number];

export type ArticleBlock =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'notice'; children: Inline[] }
  | { kind: 'heading'; children: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'figure'; name: FigureName };

export type TextSection = {
  /** The fragment to link to: `section-2`, the same in all languages. */
  id: string;
  title: string;
  blocks: ArticleBlock[];
};

export type Article = { title: string; lead: Inline[]; sections: TextSection[] };
