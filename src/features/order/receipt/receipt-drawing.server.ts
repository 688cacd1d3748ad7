import type { Translate } from '~/base/read-text.ts';
import type { Language } from '~/base/languages.ts';
import type { ReceiptFacts } from './receipt-facts.ts';
import type { ReceiptKind } from './receipt-number.ts';
import type { receiptStyles } from './receipt-styles.server.ts';

/** What the parts of a receipt's page share. */
export type Drawing = {
  kind: ReceiptKind;
  facts: ReceiptFacts;
  language: Language;
  t: Translate<'receipt'>;
  styles: ReturnType<typeof receiptStyles>;
};
