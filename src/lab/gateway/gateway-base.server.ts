import { z } from 'zod';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import type { Digest } from '~/features/payment/providers/signed-fields.server.ts';
import type { GatewayFaults } from './gateway-faults.ts';

/** What a notification is about: a payment, or one refund of it. */
export const notice = z.object({ orderRef: z.uuid(), refundRef: z.string().optional() });
export type Notice = z.infer<typeof notice>;

/** What the simulated gateway runs on. It knows its own keys and the merchant's public ones, nothing of Lale. */
export type Gateway = {
  db: Database;
  now: () => Date;
  privateKey: string;
  /** Any of them may have signed: the current one, and the next while the merchant rotates. */
  merchantPublicKeys: readonly string[];
  merchantId: string;
  /** Where its checkout page is, as a browser reaches it. */
  checkoutUrl: string;
  digest: Digest;
  /** Has the merchant's server told, once what it is told about is committed. */
  announce: (tx: Transaction, notice: Notice) => Promise<void>;
  faults: GatewayFaults;
};
