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
