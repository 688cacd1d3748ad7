import { inScript, type StructuredData } from './structured-data.ts';

/** JSON-LD on the page. A data block is no script: the content policy neither asks for a nonce nor blocks it. */
export function DataBlock({ data }: { data: StructuredData }) {
  return <script dangerouslySetInnerHTML={{ __html: inScript(data) }} type="application/ld+json" />;
}
