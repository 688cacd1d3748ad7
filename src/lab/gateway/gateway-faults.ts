/** What the gateway does: the calls it answers, and what it says by itself. */
export type GatewayDeed =
  | 'checkout'
  | 'query'
  | 'refund'
  | 'refund_query'
  | 'notification'
  | 'return';

/**
 * How a deed goes wrong.
 * In an answer: refused and error (500) do nothing; lost (500) and reset (the connection) come after it was done; held
 * is done and stays unanswered until it is released; pending and failed are what becomes of a refund.
 * In a notification: late is held until released, reordered until the next one about the same payment went out.
 * In any statement: wrong_amount, wrong_signature (a stranger's) and unsigned.
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

type Planned = { on: GatewayDeed; how: GatewayFault; orderRef?: string | undefined };

export type GatewayFaults = {
  /** The next such deed (for this payment, where one is named) goes wrong, once. Resolves when it has. */
  plan(fault: Planned): Promise<void>;
  /** What was planned for this deed, used up; null: it goes well. */
  take(on: GatewayDeed, orderRef: string | undefined): GatewayFault | null;
  /** Keeps something until it is released. */
  hold(go: () => Promise<unknown>, orderRef?: string): void;
  /** Lets go what is held, of one payment or all, in the order in which it was held. */
  release(orderRef?: string): Promise<void>;
};

/**
 * The misbehaviour of one gateway, on demand. It lives in memory beside the gateway and no call reaches it: only
 * who holds the gateway itself, a test in the same process, can ask for it.
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
