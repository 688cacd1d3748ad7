import type { ProviderName } from '~/base/payment-providers.ts';

/** How the start of a payment went, for a page with scripts. */
export type PaymentStart =
  | { kind: 'ready'; applicationNumber: string; paymentUrl: string }
  /** `retries`: how many of the three are used. `other`: how else the order can be paid. */
  | {
      kind: 'failed';
      applicationNumber: string;
      message: string;
      retries: number;
      other: ProviderName | null;
    };

/** Specification, sections 4 and 9. */
export const MAX_RETRIES = 3;
export const RETRY_DELAY_MS = 2000;
export const REDIRECT_DELAY_MS = 500;
export const MANUAL_DELAY_MS = 2500;
export const MANUAL_SHOWN_MS = 10_000;

/** Whether a failure is shown as "Payment Error" with a Retry, or else as "Application Error" with its message. */
export const isAboutPayment = (message: string): boolean => /payment/i.test(message);

/** How many of the three retries are used: the first start that failed was none. */
export const retriesOf = (failedStarts: number): number =>
  Math.min(Math.max(failedStarts - 1, 0), MAX_RETRIES);
