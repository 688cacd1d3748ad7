import type { Typed } from '~/features/draft/draft-content.ts';
import { ReplacedNotice as ReplacedAnswers } from '~/features/draft/replaced-notice.tsx';

/** Where the words of chosen values stand; what was typed is shown as it is. */
const words: Readonly<Record<string, string>> = {
  documentType: 'catalog:travelDocument',
  hasSupportingDocument: 'supporting_document',
  supportingDocumentType: 'supporting_document',
  supportingDocumentUnlimited: 'supporting_document',
  purpose: 'what_it_allows',
  processingType: 'speed',
};

/** Another tab had other answers to this step. */
export const ReplacedNotice = ({ replaced }: { replaced: Typed }) => (
  <ReplacedAnswers form="visa" replaced={replaced} words={words} />
);
