import type { Language } from '~/base/languages.ts';
import { formatMoney, usd } from '~/base/money.ts';
import type { Translate } from '~/base/read-text.ts';
import type { ReceiptLine } from './receipt-facts.ts';

/**
 * Why a line is refunded, and of which amount where only a part is: "Cancelled before processing began. Paid: $95.00".
 */
export function reasonWords(
  t: Translate<'receipt'>,
  line: ReceiptLine,
  language: Language,
): string {
  const { reason = 'other', paidMinor = line.amountMinor, amountMinor } = line;
  const words = t(`reason.${reason}`, { defaultValue: t('reason.other') });
  if (paidMinor === amountMinor) return words;
  return t('part', { reason: words, amount: formatMoney(usd(paidMinor), language) });
}
