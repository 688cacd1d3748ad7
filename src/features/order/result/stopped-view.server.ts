import { currentOperator } from '~/features/settings/operator.server.ts';
import { usd, type Money } from '~/base/money.ts';
import type { Providers } from '~/features/payment/provider.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { fallbackProvider } from '../fallback-provider.ts';
import { countRetries } from '../payment-start.ts';
import type { PaymentResult } from './payment-result.server.ts';
import { stoppedKind, type StoppedKind, type RetryOption } from './stopped.ts';
import type { SystemFacts } from './stopped-payment.tsx';

type StoppedView = {
  kind: StoppedKind;
  reason: string | null;
  orderNumber: string;
  transactionId: string | null;
  total: Money;
  received: Money | null;
  isLab: boolean;
  on: RetryOption;
};

/**
 * The page of an order whose payment was not made. The reason and the transaction are shown only to the browser that
 * began the attempt.
 */
export function stoppedView(
  { order, attempt, isPayer, number }: PaymentResult,
  providers: Providers,
  /** The providers in the order in which they are offered now. */
  offered: Providers,
): StoppedView {
  const first = providers[0]?.name ?? 'card';
  const offeredFirst = offered[0]?.name ?? first;
  const tried = providers.find(({ name }) => name === attempt?.provider)?.name ?? offeredFirst;
  // Retries are the payer's; for a guest only whether an attempt exists is known.
  const failedStarts = isPayer ? order.failedStarts : 0;
  const isCounted = isPayer && tried === first;
  return {
    kind: stoppedKind(attempt, isCounted ? failedStarts > 0 : attempt !== null),
    reason: attempt?.reason ?? null,
    orderNumber: number,
    transactionId: attempt?.providerReference ?? null,
    total: usd(order.amountMinor),
    received: attempt && usd(attempt.amountMinor),
    isLab: order.lab,
    on: {
      orderNumber: number,
      tried,
      isCounted,
      retries: countRetries(failedStarts),
      other: fallbackProvider(providers, tried),
      isDown: tried === first && offeredFirst !== first,
    },
  };
}

/** Facts that support asks for first. */
export async function systemFacts(platform: Platform, providers: Providers): Promise<SystemFacts> {
  const { config } = platform;
  return {
    gateways: providers.map(({ name }) => ({ name, isSimulated: !config.providers[name] })),
    merchantId: config.providers.card?.merchantId ?? null,
    environment: config.mode === 'live' ? 'production' : 'development',
    supportEmail: (await currentOperator(platform)).supportEmail,
  };
}
