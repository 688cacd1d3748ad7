import type { ServiceBooks, ProvidersBooks } from './books.ts';
import type { Purchase } from './purchase.ts';

export type Findings = {
  faults: string[];
  figures: Record<string, number>;
};

/** Alerts that are expected; any other is a finding. */
const EXPECTED_ALERTS: readonly string[] = ['paid_twice'];
const OPEN: readonly string[] = ['created', 'redirected', 'pending', 'authorised', 'captured_late'];
const MOVING: readonly string[] = ['requested', 'sent', 'pending', 'held'];

/** What must hold after any crash, once everything has settled: nothing lost, nothing doubled. */
export function findings(
  ours: ServiceBooks,
  theirs: ProvidersBooks,
  purchases: readonly Purchase[],
): Findings {
  const faults: string[] = [];
  const none = <T>(fault: string, found: readonly T[], show: (one: T) => string) => {
    if (found.length === 0) return;
    faults.push(`${found.length} × ${fault}: ${found.slice(0, 3).map(show).join(', ')}`);
  };
  const same = (fault: string, a: number, b: number) => {
    if (a !== b) faults.push(`${fault}: ${a} and ${b}`);
  };
  const number = (one: { number: string }) => one.number;
  const id = (one: { id: string }) => one.id;

  // Applications.
  const stored = new Map(ours.applications.map((one) => [one.number, one]));
  none(
    'an acknowledged application is lost',
    purchases.flatMap((one) => one.applications).filter((one) => !stored.has(one)),
    String,
  );
  const given = purchases.flatMap((one) => one.applications);
  same('applications, and those acknowledged', ours.applications.length, given.length);
  same('orders, and idempotency keys used', ours.orders.length, purchases.length);
  same('numbers given, and different ones', given.length, new Set(given).size);
  none(
    'an application in another order than was acknowledged',
    purchases.filter((one) =>
      one.applications.some((own) => stored.get(own)?.orderNumber !== one.number),
    ),
    number,
  );
  none(
    'an order that its lines do not add up to',
    ours.orders.filter((one) => one.lines !== one.amount),
    number,
  );
  none(
    'an application without order or answers',
    ours.applications.filter((one) => !one.isWhole),
    number,
  );
  none(
    'a paid application without its promised moment, or a promise without payment',
    ours.applications.filter((one) => one.kind === 'visa' && one.isPaid !== one.isPromised),
    number,
  );
  none(
    'a paid insurance without its certificate',
    ours.applications.filter(
      (one) => one.kind === 'insurance' && one.isPaid && one.status === 'pending',
    ),
    number,
  );

  // Payments.
  const attempts = new Map(ours.attempts.map((one) => [one.id, one]));
  const paid = ours.orders.filter((one) => one.paidBy !== null);
  const paying = new Set(paid.map((one) => one.paidBy));
  const captureOf = new Map(theirs.captures.map((one) => [one.attemptId, one]));
  none(
    'a partner took money, and the order is not paid',
    purchases.filter(
      (one) => one.paid && !one.applications.some((own) => stored.get(own)?.isPaid === true),
    ),
    number,
  );
  none(
    'a paid order without exactly its capture',
    paid.filter(({ paidBy, number: reference, amount }) => {
      const attempt = attempts.get(paidBy ?? '');
      const capture = captureOf.get(paidBy ?? '');
      return !(
        attempt?.isCompleted &&
        attempt.reference === reference &&
        attempt.amount === amount &&
        capture?.amount === amount &&
        capture.id === attempt.captureId &&
        capture.provider === attempt.provider
      );
    }),
    number,
  );
  same('captures, and attempts captured', theirs.captures.length, captureOf.size);
  none(
    'a completed attempt that pays no order',
    ours.attempts.filter((one) => one.isCompleted && !paying.has(one.id)),
    id,
  );
  none(
    'an attempt stays undecided',
    ours.attempts.filter((one) => OPEN.includes(one.state)),
    id,
  );
  none(
    'a capture of ours that the partner has not',
    ours.attempts.filter(
      (one) => one.captureId !== null && captureOf.get(one.id)?.id !== one.captureId,
    ),
    id,
  );

  // Refunds.
  const backOf = (captureId: string) =>
    sum(theirs.refunds.filter((one) => one.captureId === captureId));
  const late = theirs.captures.filter((one) => !paying.has(one.attemptId));
  none(
    'a capture that paid nothing stays with us',
    late.filter((one) => backOf(one.id) !== one.amount),
    id,
  );
  same(
    'taken in all, and paid orders with what went back late',
    sum(theirs.captures),
    sum(paid) + late.reduce((total, one) => total + backOf(one.id), 0),
  );
  none(
    'a refund beyond its capture',
    theirs.captures.filter((one) => backOf(one.id) > one.amount),
    id,
  );
  const done = ours.refunds.filter((one) => one.state === 'completed');
  const there = theirs.refunds.filter((one) => one.isDone);
  same('refunds there, and in the ledger', there.length, done.length);
  same('money given back there, and in the ledger', sum(there), sum(done));
  none(
    'a refund of ours that the partner has not, or has otherwise',
    done.filter(({ id: refundId, attemptId, amount }) => {
      const made = there.filter((one) => one.refundId === refundId);
      return (
        made.length !== 1 ||
        made[0]?.amount !== amount ||
        made[0].captureId !== attempts.get(attemptId)?.captureId
      );
    }),
    id,
  );
  none(
    'a refund stays on its way',
    ours.refunds.filter((one) => MOVING.includes(one.state)),
    id,
  );
  none(
    'a refund failed',
    ours.refunds.filter((one) => one.state === 'failed'),
    id,
  );
  none(
    'an attempt whose refunds do not add up',
    ours.attempts.filter((one) => {
      const back = sum(done.filter((refund) => refund.attemptId === one.id));
      return one.refunded !== back || one.claimed !== back;
    }),
    id,
  );
  const known = new Map(ours.refunds.map((one) => [one.id, one]));
  const acknowledged = purchases.flatMap(({ refund }) => refund ?? []);
  none(
    'an acknowledged refund is lost',
    acknowledged.filter((one) => known.get(one.id)?.amount !== one.amountMinor),
    id,
  );

  // Promises.
  const visas = ours.applications.filter((one) => one.kind === 'visa' && one.isPaid);
  const missed = visas.filter((one) => one.isMissed);
  none(
    'a missed promise whose processing price has not gone back',
    missed.filter((one) => one.processing !== 0),
    number,
  );
  none(
    'a missed promise that was made up for twice',
    missed.filter((one) => one.missedRefunds > 1),
    number,
  );
  none(
    'a kept promise that was made up for',
    ours.applications.filter((one) => !missed.includes(one) && one.missedRefunds > 0),
    number,
  );

  // Receipts, and credit notes for refunds.
  const receipts = ours.receipts.filter((one) => one.kind === 'receipt');
  const notes = ours.receipts.filter((one) => one.kind === 'credit_note');
  const receiptsOf = Map.groupBy(receipts, (one) => one.orderId);
  none(
    'a paid order without its one receipt',
    paid.filter((one) => receiptsOf.get(one.id)?.length !== 1),
    number,
  );
  same('receipts, and paid orders', receipts.length, paid.length);
  const noted = new Set(notes.map((one) => one.refundId));
  none(
    'a refund without its credit note',
    ours.refundedOrders.filter((one) => !noted.has(one)),
    String,
  );
  same('credit notes, and refunds of orders', notes.length, ours.refundedOrders.length);
  const sent = new Set(ours.emails.filter((one) => one.isSent).map((one) => one.occasion));
  none(
    'a paid order that nobody was written about',
    paid.filter((one) => !sent.has(`received:${one.number}`)),
    number,
  );
  for (const { kind, year, last } of ours.counters) {
    const serials = ours.receipts
      .filter((one) => one.kind === kind && one.year === year)
      .map((one) => one.serial)
      .toSorted((a, b) => a - b);
    const hasGap = serials.length !== last || serials.some((serial, index) => serial !== index + 1);
    if (hasGap)
      faults.push(`the numbers of ${kind} ${year} have gaps: ${serials.length} up to ${last}`);
  }
  for (const [kind, count] of Object.entries(ours.alerts)) {
    if (!EXPECTED_ALERTS.includes(kind)) faults.push(`${count} × an alert ${kind}`);
  }

  const by = (provider: string) =>
    theirs.captures.filter((one) => one.provider === provider).length;
  return {
    faults,
    figures: {
      applications: ours.applications.length,
      acknowledged: purchases.length,
      groups: purchases.filter((one) => one.applications.length > 1).length,
      insurances: ours.applications.filter((one) => one.kind === 'insurance').length,
      rejected: ours.applications.filter((one) => one.status === 'rejected').length,
      paidOrders: paid.length,
      attempts: ours.attempts.length,
      expired: ours.attempts.filter((one) => one.state === 'expired').length,
      cardCaptures: by('card'),
      paypalCaptures: by('paypal'),
      lateCaptures: late.length,
      taken: sum(theirs.captures),
      refunds: done.length,
      acknowledgedRefunds: acknowledged.length,
      givenBack: sum(there),
      promisesMissed: missed.length,
      promisesKept: visas.length - missed.length,
      promisesRefunded: visas.filter((one) => one.missedRefunds === 1).length,
      receipts: receipts.length,
      creditNotes: notes.length,
      emails: sent.size,
    },
  };
}

const sum = (amounts: readonly { amount: number }[]) =>
  amounts.reduce((total, { amount }) => total + amount, 0);
