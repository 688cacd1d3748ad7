import type { ProviderName } from '~/base/payment-providers.ts';

/** The result of starting a payment, for a page with scripts. */
export type PaymentStart =
  | { kind: 'ready'; applicationNumber: string; paymentUrl: string }
  /** `retries`: used ones, of three. `provider`: the one that was tried. `other`: another one that can be offered. */
  | {
      kind: 'failed';
      applicationNumber: string;
      message: string;
      retries: number;
      provider: ProviderName | null;
      other: ProviderName | null;
    };

/** The customer's specification: a start that failed can be tried three times more, after 2 seconds each. */
export const MAX_RETRIES = 3;
export const RETRY_DELAY_MS = 2000;
export const REDIRECT_DELAY_MS = 500;
export const MANUAL_DELAY_MS = 2500;
export const MANUAL_SHOWN_MS = 10_000;

/**
 * Whether a failure is shown as "Payment Error" with a Retry, or as "Application Error" with its message:
 * by the customer's specification the message decides, by naming a payment or not.
 */
export const isAboutPayment = (message: string): boolean => /payment/i.test(message);

/** Used retries, of three: the first failed start is not one. */
export const countRetries = (failedStarts: number): number =>
  Math.min(Math.max(failedStarts - 1, 0), MAX_RETRIES);

/** The fields of a form that pays with scripts: at the provider that was tried, or the first. */
export const retryFields = (payment: PaymentStart | undefined): Record<string, string> => ({
  intent: 'pay',
  scripts: 'yes',
  ...(payment?.kind === 'failed' && payment.provider ? { provider: payment.provider } : {}),
});
