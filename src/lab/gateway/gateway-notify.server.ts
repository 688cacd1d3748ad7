import { transactionByOrder } from './simulated-gateway.server.ts';
import { refundStatementOf, statementOf } from './gateway-statement.server.ts';
import type { Gateway, Notice } from './gateway-base.server.ts';

/**
 * Notifies the merchant's server.
 * @throws Error when it does not answer 2xx, so that the job is retried.
 */
export async function notifyMerchant(
  gateway: Gateway,
  { orderRef, refundRef }: Notice,
): Promise<void> {
  const transaction = await transactionByOrder(gateway.db, orderRef);
  const { notificationUrl } = transaction?.fields ?? {};
  if (!transaction || !notificationUrl) return;
  const fault = gateway.faults.take('notification', orderRef);
  const payload = refundRef
    ? refundStatementOf(gateway, transaction, refundRef, fault)
    : statementOf(gateway, transaction, fault);
  const notify = () => deliver(notificationUrl, payload);
  if (fault === 'never') return;
  if (fault === 'late') return gateway.faults.hold(notify);
  if (fault === 'reordered') return gateway.faults.hold(notify, orderRef);
  await notify();
  if (fault === 'twice') await notify();
  await gateway.faults.release(orderRef);
}

async function deliver(url: string, payload: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`Notification answered ${response.status}`);
}
