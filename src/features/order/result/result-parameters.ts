import { reasonKey } from './stopped.ts';

/** What a test page claims in the address of a result page. Nothing of it is stored, so it counts in test mode only. */
export type ResultParameters = {
  kind: 'cancelled' | 'failed';
  reason: string | null;
  transactionId: string | null;
  orderNumber: string | null;
};

/** Only codes, no sentences: a link must not make our page show somebody else's text. */
const PLAIN = /^[\w.-]{1,64}$/;

const plain = (value: string | null): string | null =>
  value !== null && PLAIN.test(value) ? value : null;

/**
 * Reads `status`, `transaction`, `reason` and `orderReference` (or `order`). Without `status` the reason implies it;
 * null where neither does.
 */
export function readResultParameters(query: URLSearchParams): ResultParameters | null {
  const reason = reasonIn(query.get('reason'));
  const kind = query.get('status') ?? kindOf(reason);
  if (kind !== 'cancelled' && kind !== 'failed') return null;
  return {
    kind,
    reason,
    ...readReferences(query),
  };
}

/** A code as it came; of a sentence the code of the reason it names, where we know one ("Insufficient funds"); no other. */
function reasonIn(value: string | null): string | null {
  if (!value || plain(value) !== null) return plain(value);
  const code = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return reasonKey(code) === 'other' ? null : code;
}

const kindOf = (reason: string | null): ResultParameters['kind'] | null =>
  reason === null ? null : reason === 'cancelled_by_payer' ? 'cancelled' : 'failed';

export function readReferences(
  query: URLSearchParams,
): Pick<ResultParameters, 'transactionId' | 'orderNumber'> {
  return {
    transactionId: plain(query.get('transaction')) ?? plain(query.get('payment')),
    orderNumber: plain(query.get('orderReference')) ?? plain(query.get('order')),
  };
}
