import { z } from 'zod';
import type { Digest } from '~/features/payment/providers/signed-fields.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Database, Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { documents, storedMoment } from '../documents.server.ts';

/** What can go wrong: the calls, and the notifications. */
export type GatewayEvent =
  | 'checkout'
  | 'query'
  | 'refund'
  | 'refund_query'
  | 'notification'
  | 'return';

/**
 * How it goes wrong. In a response: `refused` and `error` (500) do nothing; `lost` (500) and `reset` (the connection)
 * fail after it was done; `held` is done and not answered until it is released; `pending` and `failed` are results of a
 * refund. In a notification: `late` is held until it is released, `reordered` until the next one about the same payment
 * was sent. In any message: `wrong_amount`, `wrong_signature` (another key's) and `unsigned`.
 */
export type GatewayFault =
  | 'refused'
  | 'error'
  | 'lost'
  | 'reset'
  | 'held'
  | 'pending'
  | 'failed'
  | 'late'
  | 'twice'
  | 'reordered'
  | 'never'
  | 'wrong_amount'
  | 'wrong_signature'
  | 'unsigned';

type Planned = { on: GatewayEvent; how: GatewayFault; orderRef?: string | undefined };

export type GatewayFaults = {
  /**
   * Plans a fault for the next such event (of this payment, where one is named), once. Resolves when it has occurred.
   */
  plan(fault: Planned): Promise<void>;
  /** Consumes the fault planned for this event; null where there is none. */
  take(on: GatewayEvent, orderRef: string | undefined): GatewayFault | null;
  /** Holds something until it is released. */
  hold(go: () => Promise<unknown>, orderRef?: string): void;
  /** Releases what is held, of one payment or all, in order. */
  release(orderRef?: string): Promise<void>;
};

/**
 * The planned faults of one gateway. They are kept in memory and reachable by no call: only a test in the same process
 * can plan them.
 */
export function gatewayFaults(): GatewayFaults {
  const planned: (Planned & { happened: () => void })[] = [];
  const held: { go: () => Promise<unknown>; orderRef: string | undefined }[] = [];
  return {
    plan: (fault) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      planned.push({ ...fault, happened: resolve });
      return promise;
    },
    take: (on, orderRef) => {
      const found = planned.findIndex(
        (fault) => fault.on === on && (!fault.orderRef || fault.orderRef === orderRef),
      );
      const [fault] = found === -1 ? [] : planned.splice(found, 1);
      fault?.happened();
      return fault?.how ?? null;
    },
    hold: (go, orderRef) => void held.push({ go, orderRef }),
    release: async (orderRef) => {
      const isDue = (waiting: (typeof held)[number]) => !orderRef || waiting.orderRef === orderRef;
      const due = held.filter(isDue);
      held.splice(0, held.length, ...held.filter((waiting) => !isDue(waiting)));
      for (const { go } of due) await go();
    },
  };
}

/** The subject of a notification: a payment, or one refund of it. */
export const notice = z.object({ orderRef: z.uuid(), refundRef: z.string().optional() });
export type GatewayNotice = z.infer<typeof notice>;

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
  announce: (tx: Transaction, notice: GatewayNotice) => Promise<void>;
  faults: GatewayFaults;
};

const transaction = z.object({
  id: z.string(),
  orderRef: z.string(),
  amount: z.string(),
  currency: z.string(),
  fields: z.record(z.string(), z.string()),
  status: z.enum(['created', 'completed', 'declined', 'cancelled']),
  reason: z.string().nullable().default(null),
  captureId: z.string().nullable().default(null),
  cardLast4: z.string().nullable().default(null),
  /** refundRef → minor units, so that each reference refunds once. */
  refunds: z.record(z.string(), z.number()).default({}),
  /** For refunds that are pending or failed. A failed one is not in `refunds`. */
  refundStates: z.record(z.string(), z.enum(['pending', 'failed'])).default({}),
  createdAt: storedMoment,
  decidedAt: storedMoment.nullable().default(null),
});
export type GatewayTransaction = z.output<typeof transaction>;

/** The simulated gateway's own data, one transaction for each order reference. */
export const transactions = documents({
  partner: 'gateway',
  kind: 'transaction',
  shape: transaction,
  id: ({ orderRef }) => orderRef,
});

export const transactionByOrder = transactions.get;

/** Creates the transaction of an order reference, or returns the existing one. */
export async function registerTransaction(
  db: Queryable,
  given: z.input<typeof transaction>,
): Promise<GatewayTransaction> {
  const known =
    (await transactions.insert(db, given)) ?? (await transactions.get(db, given.orderRef));
  if (!known) throw new Error('The simulated gateway lost a transaction');
  return known;
}

/** Decides a transaction once; null when it was decided before. */
export const decideTransaction = (
  tx: Transaction,
  orderRef: string,
  values: Partial<GatewayTransaction>,
): Promise<GatewayTransaction | null> =>
  transactions.change(tx, orderRef, values, { status: 'created' });

/** Completes a transaction that was decided otherwise, or not at all; false when it was completed before. */
export async function captureTransaction(
  tx: Transaction,
  orderRef: string,
  values: { captureId: string; decidedAt: Date },
): Promise<boolean> {
  const known = await transactions.lock(tx, orderRef);
  if (!known || known.status === 'completed') return false;
  await transactions.change(tx, orderRef, { ...values, status: 'completed', reason: null });
  return true;
}

/** Refunds once per `refundRef`; null where it would exceed the capture. `state`: the refund's result. */
export async function addRefund(
  db: Database,
  refund: {
    orderRef: string;
    refundRef: string;
    minor: number;
    capturedMinor: number;
    state?: 'pending' | 'completed' | 'failed';
  },
): Promise<GatewayTransaction | null> {
  const { orderRef, refundRef, state = 'completed' } = refund;
  return db.transaction(async (tx) => {
    const row = await transactions.lock(tx, orderRef);
    if (row?.status !== 'completed') return null;
    if (Object.hasOwn(row.refunds, refundRef) || Object.hasOwn(row.refundStates, refundRef)) {
      return row;
    }
    const refunds =
      state === 'failed' ? row.refunds : { ...row.refunds, [refundRef]: refund.minor };
    const refundStates =
      state === 'completed' ? row.refundStates : { ...row.refundStates, [refundRef]: state };
    const total = Object.values(refunds).reduce((sum, minor) => sum + minor, 0);
    if (total > refund.capturedMinor) return null;
    return transactions.change(tx, orderRef, { refunds, refundStates });
  });
}

/** Decides a pending refund; false when there is none. */
export async function setRefundState(
  tx: Transaction,
  { orderRef, refundRef }: { orderRef: string; refundRef: string },
  state: 'completed' | 'failed',
): Promise<boolean> {
  const row = await transactions.lock(tx, orderRef);
  if (row?.refundStates[refundRef] !== 'pending') return false;
  const without = <T>(record: Record<string, T>) =>
    Object.fromEntries(Object.entries(record).filter(([ref]) => ref !== refundRef));
  await transactions.change(
    tx,
    orderRef,
    state === 'completed'
      ? { refundStates: without(row.refundStates) }
      : {
          refunds: without(row.refunds),
          refundStates: { ...row.refundStates, [refundRef]: state },
        },
  );
  return true;
}

/** Lale's account at the simulated gateway. */
export const SIMULATOR_MERCHANT = 'LALE-TEST';

const gateways = new WeakMap<Platform, Gateway>();

/** The simulated gateway of this installation; null in live mode. */
export function simulatedGateway(platform: Platform): Gateway | null {
  const { simulator, publicUrl, mode } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  const known = gateways.get(platform);
  if (known) return known;
  const gateway: Gateway = {
    db: platform.db,
    now: platform.now,
    privateKey: simulator.provider.privateKey,
    merchantPublicKeys: [simulator.merchant.publicKey],
    merchantId: SIMULATOR_MERCHANT,
    checkoutUrl: `${publicUrl}/mock-gpay-payment`,
    digest: 'sha256',
    announce: (tx, notice) => enqueue(tx, 'lab.gateway_notify', notice),
    faults: gatewayFaults(),
  };
  gateways.set(platform, gateway);
  return gateway;
}
