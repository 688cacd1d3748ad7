import { formatMoney, usd } from '~/base/money.ts';
import type { Language } from '~/base/languages.ts';
import type { ReceiptLine } from './receipt-facts.ts';

/** Words of the namespace `receipt`. */
type Words = (key: string, values?: Record<string, string>) => string;

/** Why a line goes back, and of what where only a part does: "Cancelled before processing began. Paid: $95.00". */
export function reasonWords(t: Words, line: ReceiptLine, language: Language): string {
  const { reason = 'other', paidMinor = line.amountMinor, amountMinor } = line;
  const words = t(`reason.${reason}`, { defaultValue: t('reason.other') });
  if (paidMinor === amountMinor) return words;
  return t('part', { reason: words, amount: formatMoney(usd(paidMinor), language) });
}
