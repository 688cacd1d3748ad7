import { parseMoney, usd, type Money } from '~/base/money.ts';

/** Characters of the note on what was done about an alert. */
export const LONGEST_NOTE = 1000;

/** The facts of an alert, in display order. */
export type AlertFact =
  | { key: AmountKey; amount: Money }
  | { key: TextKey; text: string }
  | { key: 'day' | 'partner'; text: string };

const amountKeys = [
  'reported',
  'ourCaptured',
  'theirCaptured',
  'ourRefunded',
  'theirRefunded',
] as const;
type AmountKey = (typeof amountKeys)[number];
const textKeys = [
  'failures',
  'transactionId',
  'captureId',
  'status',
  'reason',
  'message',
  'count',
] as const;
type TextKey = (typeof textKeys)[number];

/** The detail is a provider's event, or two books' figures: only known keys are shown. */
export function alertFacts(detail: unknown): AlertFact[] {
  const properties = typeof detail === 'object' && detail !== null ? detail : {};
  const read = (name: string): string | null => {
    const value: unknown = Reflect.get(properties, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  const facts: AlertFact[] = [];
  const day = read('day');
  if (day !== null) facts.push({ key: 'day', text: day });
  const partner = read('partner');
  if (partner !== null) facts.push({ key: 'partner', text: partner });
  for (const key of amountKeys) {
    const amount = key === 'reported' ? reported(read) : parseMoney(read(key) ?? '');
    if (amount) facts.push({ key, amount });
  }
  const foreign = reported(read) ? null : inOtherCurrency(read);
  if (foreign) facts.push({ key: 'message', text: foreign });
  for (const key of textKeys) {
    const text = read(key === 'captureId' && !read(key) ? 'theirCaptureId' : key);
    if (text) facts.push({ key, text });
  }
  return facts;
}

type Read = (name: string) => string | null;

function reported(read: Read): Money | null {
  const minor = Number(read('amountMinor') ?? Number.NaN);
  if (Number.isSafeInteger(minor)) return usd(minor);
  return (read('currency') ?? 'USD') === 'USD' ? parseMoney(read('amount') ?? '') : null;
}

function inOtherCurrency(read: Read): string | null {
  const [amount, currency] = [read('amount'), read('currency')];
  return amount && currency ? `${amount} ${currency}` : null;
}
