import { withoutIsolates } from '~/base/isolated.ts';
import type { Article, ArticleBlock, Inline } from '../information/article.ts';
import type { Site } from '../site-context.tsx';

/** Data of schema.org as JSON-LD. */
export type StructuredData = { '@context': 'https://schema.org'; '@type': string } & Record<
  string,
  unknown
>;

const CONTEXT = { '@context': 'https://schema.org' } as const;

/** The operator. Placeholders (`[…]`) are left out. */
export function organization({ origin, operator }: Site): StructuredData {
  const known = (text: string) => (text.startsWith('[') ? undefined : text);
  const email = known(operator.supportEmail);
  const telephone = known(operator.supportPhone);
  return {
    ...CONTEXT,
    '@type': 'Organization',
    name: 'Lale',
    legalName: known(operator.legalName),
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
    address: known(operator.address),
    taxID: known(operator.taxNumber),
    contactPoint:
      email || telephone
        ? { '@type': 'ContactPoint', contactType: 'customer support', email, telephone }
        : undefined,
  };
}

/** The path from the home page to this one. */
export function breadcrumbs(steps: readonly { name: string; address: string }[]): StructuredData {
  return {
    ...CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, address }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: address,
    })),
  };
}

/** A page of questions: each section is a question, its blocks are the answer. */
export function questions({ sections }: Article, language: string): StructuredData {
  return {
    ...CONTEXT,
    '@type': 'FAQPage',
    inLanguage: language,
    mainEntity: sections.map(({ title, blocks }) => ({
      '@type': 'Question',
      name: withoutIsolates(title),
      acceptedAnswer: {
        '@type': 'Answer',
        text: withoutIsolates(blocks.map(textOf).join(' ').trim()),
      },
    })),
  };
}

/** JSON for use inside `<script>`: the text cannot end the element. */
export const toScriptJson = (data: StructuredData): string =>
  JSON.stringify(data).replaceAll('<', '\\u003c');

const written = (parts: readonly Inline[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : written(part.children))).join('');

function textOf(block: ArticleBlock): string {
  switch (block.kind) {
    case 'list':
      return block.items.map(written).join(' ');
    case 'table':
      return block.rows.map((row) => row.map(written).join(' ')).join(' ');
    case 'figure':
      return '';
    default:
      return written(block.children);
  }
}

/** JSON-LD in the page. The content policy does not apply to data blocks. */
export function DataBlock({ data }: { data: StructuredData }) {
  return (
    <script dangerouslySetInnerHTML={{ __html: toScriptJson(data) }} type="application/ld+json" />
  );
}
