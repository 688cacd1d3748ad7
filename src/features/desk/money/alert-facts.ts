import { parseMoney, usd, type Money } from '~/base/money.ts';

/** Characters of the note on what was done about an alert. */
export const MAX_ALERT_NOTE_LENGTH = 1000;

const amountKeys = ['ourCaptured', 'theirCaptured', 'ourRefunded', 'theirRefunded'] as const;
const textKeys = [
  'failures',
  'transactionId',
  'captureId',
  'status',
  'reason',
  'message',
  'count',
] as const;

/** A fact of an alert. */
export type AlertFact =
  | { key: 'reported' | (typeof amountKeys)[number]; amount: Money }
  | { key: 'day' | 'partner' | (typeof textKeys)[number]; text: string };

/** Facts in display order. The detail is a provider's event, or two books' figures: only known keys are shown. */
export function alertFacts(detail: unknown): AlertFact[] {
  const properties = typeof detail === 'object' && detail !== null ? detail : {};
  const read = (name: string): string | null => {
    const value: unknown = Reflect.get(properties, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  const textFact = (key: 'day' | 'partner' | (typeof textKeys)[number], text: string | null) =>
    text ? [{ key, text }] : [];
  const amount = reported(read);
  return [
    ...textFact('day', read('day')),
    ...textFact('partner', read('partner')),
    ...(amount ? [{ key: 'reported', amount } as const] : []),
    ...amountKeys.flatMap((key) => {
      const found = parseMoney(read(key) ?? '');
      return found ? [{ key, amount: found }] : [];
    }),
    ...(amount ? [] : textFact('message', foreign(read))),
    ...textKeys.flatMap((key) =>
      textFact(key, read(key) || (key === 'captureId' ? read('theirCaptureId') : null)),
    ),
  ];
}

type Read = (name: string) => string | null;

function reported(read: Read): Money | null {
  const minor = Number(read('amountMinor') ?? Number.NaN);
  if (Number.isSafeInteger(minor)) return usd(minor);
  return (read('currency') ?? 'USD') === 'USD' ? parseMoney(read('amount') ?? '') : null;
}

/** An amount in another currency. */
function foreign(read: Read): string | null {
  const [amount, currency] = [read('amount'), read('currency')];
  return amount && currency ? `${amount} ${currency}` : null;
}
