import { usd, type Money } from '~/base/money.ts';
import { ok, refused } from '~/base/outcome.ts';
import type { ProviderAnswer, ProviderEvent, Provider, RefundMade } from '../../provider.ts';

export const PRICE = 94_00;

export type PartnerDecision = 'hold' | 'authorise' | 'decline' | 'cancel' | 'capture';
export type BeginMood = 'fine' | 'lost' | 'error' | 'refused';
export type RefundMood = 'fine' | 'lost' | 'error' | 'refused' | 'pending';

/** Correctly signed, but wrong in amount, capture or reference. */
export type WrongEvent = 'amount' | 'no_amount' | 'capture' | 'reference';

type Payment = {
  decision: PartnerDecision | null;
  captureId: string | null;
  /** All its events about the payment, in order. */
  words: ProviderEvent[];
  refunds: Map<string, { amount: Money; made: RefundMade }>;
};

/** A provider in memory: the true state of the money, and every event it sent. */
export type HistoryPartner = ReturnType<typeof makePartner>;

export function makePartner(history: string) {
  const payments = new Map<string, Payment>();
  const moods: { begin: BeginMood; refund: RefundMood; isAway: boolean } = {
    begin: 'fine',
    refund: 'fine',
    isAway: false,
  };
  const noAnswer = refused({ code: 'no_answer', message: 'No answer' } as const);
  const refusal = refused({ code: 'refused', message: 'No' } as const);

  const word = (
    attemptId: string,
    decision: PartnerDecision,
    captureId: string | null,
  ): ProviderEvent => ({
    eventId: `${attemptId}-${decision}`,
    attemptId,
    event: decision,
    amount: usd(PRICE),
    providerReference: `P-${attemptId}`,
    captureId,
    reason: null,
    payload: { status: decision },
  });

  const refundOf = (attemptId: string, refundId: string) =>
    payments.get(attemptId)?.refunds.get(refundId);

  const provider: Provider = {
    name: 'card',
    begin: async ({ id }) => {
      const { begin } = moods;
      moods.begin = 'fine';
      if (moods.isAway || begin === 'error') return noAnswer;
      if (begin === 'refused') return refusal;
      payments.set(id, { decision: null, captureId: null, words: [], refunds: new Map() });
      if (begin === 'lost') return noAnswer;
      return ok({
        providerReference: `P-${id}`,
        checkoutRedirect: { kind: 'link', url: 'https://pay.example/checkout' },
      });
    },
    ask: async ({ id }): Promise<ProviderAnswer> => {
      if (moods.isAway) return 'no_answer';
      const payment = payments.get(id);
      if (!payment) return 'unknown';
      return payment.words.at(-1) ?? 'nothing';
    },
    readReturn: () => null,
    readNotification: async () => ({ kind: 'unverified' }),
    refund: async ({ refundId, attempt, amount }) => {
      const payment = payments.get(attempt.id);
      const { refund } = moods;
      moods.refund = 'fine';
      if (moods.isAway || refund === 'error') return noAnswer;
      const known = payment?.refunds.get(refundId);
      if (known) return ok(known.made);
      if (refund === 'refused' || !payment?.captureId) return refusal;
      const total = [...payment.refunds.values()].reduce(
        (sum, { amount: part, made }) => sum + (made.state === 'failed' ? 0 : part.minor),
        amount.minor,
      );
      if (total > PRICE) return refusal;
      const state = refund === 'pending' ? 'pending' : 'completed';
      const made: RefundMade = { providerRefundId: `RF-${refundId}`, state };
      payment.refunds.set(refundId, { amount, made });
      return refund === 'lost' ? noAnswer : ok(made);
    },
    askRefund: async ({ refundId, attempt }) =>
      moods.isAway ? 'no_answer' : (refundOf(attempt.id, refundId)?.made ?? 'unknown'),
    books: async () => 'no_answer',
  };

  return {
    provider,
    moods,
    payments,
    /** Sets the payment's outcome there. A capture stays; a decline may turn into a capture. */
    decide(attemptId: string, decision: PartnerDecision): void {
      const payment = payments.get(attemptId);
      if (!payment || payment.captureId || payment.decision === decision) return;
      payment.decision = decision;
      if (decision === 'capture') payment.captureId = `C-${history}-${attemptId}`;
      payment.words.push(word(attemptId, decision, payment.captureId));
    },
    /** Decides pending refunds. */
    decideRefunds(state: 'completed' | 'failed'): void {
      for (const { refunds } of payments.values()) {
        for (const [id, { amount, made }] of refunds) {
          if (made.state === 'pending') refunds.set(id, { amount, made: { ...made, state } });
        }
      }
    },
    wrongWord(attemptId: string, wrong: WrongEvent, otherCapture: string | null): ProviderEvent {
      const right = word(attemptId, 'capture', `X-${attemptId}`);
      const eventId = `${attemptId}-wrong-${wrong}`;
      if (wrong === 'amount') return { ...right, eventId, amount: usd(PRICE - 1) };
      if (wrong === 'no_amount') return { ...right, eventId, amount: null };
      if (wrong === 'reference') return { ...right, eventId, attemptId: crypto.randomUUID() };
      return { ...right, eventId, captureId: otherCapture };
    },
    /** In cents: captured, and refunded or being refunded. */
    money(attemptId: string): { captured: number; refunded: number } {
      const payment = payments.get(attemptId);
      const refunds = [...(payment?.refunds.values() ?? [])];
      return {
        captured: payment?.captureId ? PRICE : 0,
        refunded: refunds
          .filter(({ made }) => made.state !== 'failed')
          .reduce((sum, { amount }) => sum + amount.minor, 0),
      };
    },
  };
}
