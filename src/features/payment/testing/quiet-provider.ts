import { ok, refused } from '~/base/outcome.ts';
import type { Provider, Providers } from '../provider.ts';
import type { Payments } from '../settlement/context.server.ts';

/** A provider that begins every payment and never sends an event. */
export const quietProvider = (differences: Partial<Provider> = {}): Provider => ({
  name: 'card',
  begin: async ({ id }) =>
    ok({
      providerReference: id,
      checkoutRedirect: { kind: 'link', url: 'https://pay.example/checkout' },
    }),
  ask: async () => 'nothing',
  readReturn: () => null,
  readNotification: async () => ({ kind: 'unverified' }),
  refund: async () => refused({ code: 'refused', message: 'none' }),
  askRefund: async () => 'unknown',
  books: async () => 'unknown',
  ...differences,
});

/** Payments at these providers that cause nothing further. */
export const quietPayments = (...providers: Providers): Payments => ({
  providers,
  onPaid: async () => undefined,
  onRefunded: async () => undefined,
});
