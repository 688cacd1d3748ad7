import { z } from 'zod';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import type { Digest } from '~/features/payment/providers/signed-fields.server.ts';
import type { GatewayFaults } from './gateway-faults.ts';

/** The subject of a notification: a payment, or one refund of it. */
export const notice = z.object({ orderRef: z.uuid(), refundRef: z.string().optional() });
export type Notice = z.infer<typeof notice>;

/** A simulated gateway. It knows its own keys and the merchant's public ones, nothing else of Lale. */
export type Gateway = {
  db: Database;
  now: () => Date;
  privateKey: string;
  /** Any of them may have signed: the current one, and the next during a rotation. */
  merchantPublicKeys: readonly string[];
  merchantId: string;
  /** The address of its checkout page for browsers. */
  checkoutUrl: string;
  digest: Digest;
  /** Notifies the merchant's server once the transaction is committed. */
  announce: (tx: Transaction, notice: Notice) => Promise<void>;
  faults: GatewayFaults;
};
