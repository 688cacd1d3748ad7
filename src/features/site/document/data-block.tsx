import { toScriptJson, type StructuredData } from './structured-data.ts';

/** JSON-LD in the page. The content policy does not apply to data blocks. */
export function DataBlock({ data }: { data: StructuredData }) {
  return (
    <script dangerouslySetInnerHTML={{ __html: toScriptJson(data) }} type="application/ld+json" />
  );
}
