import { ok, refused } from '~/base/outcome.ts';
import type { Provider } from '../provider.ts';

/** A payment partner that begins whatever it is asked to and says nothing more. */
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
