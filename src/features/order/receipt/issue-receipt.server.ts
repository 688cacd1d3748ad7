import { operatorAt } from '~/features/settings/operator.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { randomUUID } from 'node:crypto';
import { attemptById, eventsFor } from '~/features/payment/settlement/store.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { OrderLine } from '../order-lines-store.server.ts';
import type { Order } from '../store.server.ts';
import type { ReceiptFacts, ReceiptTraveller } from './receipt-facts.ts';
import { insertReceipt, nextSerial } from './store.server.ts';

/** Issues the receipt of an order at the end of the transaction that paid it. Lab orders get none. */
export async function issueReceipt(
  tx: Transaction,
  config: Pick<Config, 'operator' | 'mode'>,
  {
    order,
    lines,
    travellers = new Map(),
  }: {
    order: Order;
    lines: readonly OrderLine[];
    /** By application number, for an order of several travellers. */
    travellers?: ReadonlyMap<string, ReceiptTraveller>;
  },
): Promise<void> {
  if (order.lab) return;
  const { paidAt, paidBy } = order;
  if (!paidAt || !paidBy) throw new Error('A receipt needs a paid order');
  const facts: ReceiptFacts = {
    ...(await commonFacts(tx, config, order, paidAt)),
    ...(await paymentFacts(tx, paidBy)),
    lines: lines.map(({ applicationNumber, code, detail, amountMinor }) => {
      const traveller = travellers.get(applicationNumber);
      return { applicationNumber, code, detail, amountMinor, ...(traveller && { traveller }) };
    }),
    totalMinor: order.amountMinor,
    at: paidAt.toISOString(),
  };
  // The year of the number is that of the payment, in UTC like the date on the receipt.
  const year = paidAt.getUTCFullYear();
  const serial = await nextSerial(tx, 'receipt', year);
  const numbered = { kind: 'receipt' as const, year, serial };
  await insertReceipt(tx, {
    id: randomUUID(),
    ...numbered,
    orderId: order.id,
    facts,
    issuedAt: paidAt,
  });
}

/** What receipt and credit note share, as of a moment. */
export async function commonFacts(
  tx: Transaction,
  config: Pick<Config, 'operator' | 'mode'>,
  order: Order,
  at: Date,
) {
  const operator = operatorAt(config, await readSettings(tx), at);
  const { legalName, address, taxNumber, authoritiesCharge } = operator;
  return {
    language: order.language,
    operator: { legalName, address, taxNumber },
    ...(authoritiesCharge && { authoritiesCharge }),
    payer: order.customerName,
    orderNumber: order.number,
    currency: 'USD' as const,
    isTest: config.mode === 'test',
  };
}

/** The provider, its id of the payment, and the card's last digits where the provider reports them. */
export async function paymentFacts(tx: Transaction, attemptId: string) {
  const attempt = await attemptById(tx, attemptId);
  if (!attempt) throw new Error('A paid order has no payment');
  const events = await eventsFor(tx, attemptId);
  const endings = events.flatMap(({ payload }) => cardLast4Of(payload) ?? []);
  return {
    provider: attempt.provider,
    transaction: attempt.providerReference ?? attempt.captureId,
    cardLast4: endings.at(-1) ?? null,
  };
}

/** All providers store it under this key; anything but four digits is ignored. */
function cardLast4Of(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null || !('cardLast4' in payload)) return null;
  const { cardLast4 } = payload;
  return typeof cardLast4 === 'string' && /^\d{4}$/.test(cardLast4) ? cardLast4 : null;
}
