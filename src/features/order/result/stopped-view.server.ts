import { operatorNow } from '~/features/settings/operator.server.ts';
import { usd, type Money } from '~/base/money.ts';
import type { Providers } from '~/features/payment/providers.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { fallbackProvider } from '../fallback-provider.ts';
import { retriesOf } from '../payment-start.ts';
import type { PaymentResult } from './payment-result.server.ts';
import { stoppedKind, type StoppedKind, type RetryOption } from './stopped.ts';
import type { SystemFacts } from './system-status.tsx';

export type StoppedView = {
  kind: StoppedKind;
  reason: string | null;
  orderNumber: string;
  transactionId: string | null;
  total: Money;
  isLab: boolean;
  on: RetryOption;
};

/** An order whose payment did not happen. Why, and by which transaction, is told to whoever began the attempt only. */
export function stoppedView(
  { order, attempt, isPayer, number }: PaymentResult,
  providers: Providers,
  /** As they are offered now. */
  offered: Providers,
): StoppedView {
  const first = providers[0]?.name ?? 'card';
  const offeredFirst = offered[0]?.name ?? first;
  const tried = providers.find(({ name }) => name === attempt?.provider)?.name ?? offeredFirst;
  // The retries are the payer's; of a guest it is only known whether he has begun anything.
  const failedStarts = isPayer ? order.failedStarts : 0;
  const isCounted = isPayer && tried === first;
  return {
    kind: stoppedKind(attempt, isCounted ? failedStarts > 0 : attempt !== null),
    reason: attempt?.reason ?? null,
    orderNumber: number,
    transactionId: attempt?.providerReference ?? null,
    total: usd(order.amountMinor),
    isLab: order.lab,
    on: {
      orderNumber: number,
      tried,
      isCounted,
      retries: retriesOf(failedStarts),
      other: fallbackProvider(providers, tried),
      isDown: tried === first && offeredFirst !== first,
    },
  };
}

/** What support asks about first. */
export async function systemFacts(platform: Platform, providers: Providers): Promise<SystemFacts> {
  const { config } = platform;
  return {
    gateways: providers.map(({ name }) => ({ name, isSimulated: !config.providers[name] })),
    merchantId: config.providers.card?.merchantId ?? null,
    environment: config.mode === 'live' ? 'production' : 'development',
    supportEmail: (await operatorNow(platform)).supportEmail,
  };
}
