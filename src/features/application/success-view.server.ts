import { usd, type Money } from '~/base/money.ts';
import type { PaymentResult } from '~/features/order/payment-result.server.ts';
import { linesOf } from '~/features/order/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { applicationsOfOrder, currentDocument, eventsOf } from './store.server.ts';
import { statusView } from './lookup.server.ts';
import type { StatusView } from './status-view.ts';

export type SuccessView = {
  orderNumber: string;
  applications: StatusView[];
  lines: { code: string; detail: string | null; amount: Money }[];
  total: Money;
  transactionId: string | null;
  /** Only for the payer's own browser; everybody else who has the number does without. */
  email: string | null;
  isTest: boolean;
};

/** A paid order as its confirmation shows it. */
export async function successView(
  platform: Platform,
  { order, attempt, isPayer }: PaymentResult,
): Promise<SuccessView> {
  const [applications, lines] = await Promise.all([
    applicationsOfOrder(platform.db, order.number),
    linesOf(platform.db, order.id),
  ]);
  const views = applications.map(async (application) => {
    const [events, document] = await Promise.all([
      eventsOf(platform.db, application.id),
      currentDocument(platform.db, application.id),
    ]);
    const processingAt = events.find(({ kind }) => kind === 'processing')?.at ?? null;
    const attempts = attempt ? [attempt] : [];
    return statusView({
      application,
      together: applications,
      order,
      attempts,
      document,
      processingAt,
    });
  });
  return {
    orderNumber: order.number,
    applications: await Promise.all(views),
    lines: lines.map(({ code, detail, amountMinor }) => ({
      code,
      detail,
      amount: usd(amountMinor),
    })),
    total: usd(order.amountMinor),
    transactionId: attempt?.providerReference ?? attempt?.captureId ?? null,
    email: isPayer ? order.customerEmail : null,
    isTest: platform.config.mode === 'test',
  };
}
