import { expect, test } from 'vitest';
import type { ServiceBooks, ProvidersBooks } from './books.ts';
import { findings } from './findings.ts';
import type { Purchase } from './purchase.ts';

type Books = { ours: ServiceBooks; theirs: ProvidersBooks; purchases: Purchase[] };

/**
 * Two orders of 94.00: one paid by card; the other by PayPal, later also by card, which was refunded, and partly
 * refunded because its promise was missed.
 */
function sound(): Books {
  const attempt = { state: 'completed', amount: 94_00, refunded: 0, claimed: 0, isCompleted: true };
  const application = {
    kind: 'visa' as const,
    isWhole: true,
    isPromised: true,
    isMissed: false,
    processing: 25_00,
    missedRefunds: 0,
    isPaid: true,
    status: 'pending',
  };
  const receipt = { kind: 'receipt', year: 2026, refundId: null };
  return {
    purchases: [
      { number: 'A', applications: ['A'], paid: true, refund: null },
      {
        number: 'B',
        applications: ['B'],
        paid: true,
        refund: { id: 'r1', amountMinor: 25_00 },
      },
    ],
    ours: {
      applications: [
        { number: 'A', orderNumber: 'A', ...application },
        {
          ...application,
          number: 'B',
          orderNumber: 'B',
          isMissed: true,
          processing: 0,
          missedRefunds: 1,
        },
      ],
      attempts: [
        { ...attempt, id: 'a1', reference: 'A', provider: 'card', captureId: 'c1' },
        {
          ...attempt,
          id: 'b1',
          reference: 'B',
          provider: 'paypal',
          captureId: 'c2',
          state: 'partially_refunded',
          refunded: 25_00,
          claimed: 25_00,
        },
        {
          ...attempt,
          id: 'b2',
          reference: 'B',
          provider: 'card',
          captureId: 'c3',
          state: 'refunded',
          refunded: 94_00,
          claimed: 94_00,
          isCompleted: false,
        },
      ],
      orders: [
        { id: 'oA', number: 'A', amount: 94_00, lines: 94_00, paidBy: 'a1' },
        { id: 'oB', number: 'B', amount: 94_00, lines: 94_00, paidBy: 'b1' },
      ],
      refunds: [
        { id: 'r1', attemptId: 'b1', amount: 25_00, state: 'completed' },
        { id: 'r2', attemptId: 'b2', amount: 94_00, state: 'completed' },
      ],
      refundedOrders: ['r1'],
      receipts: [
        { ...receipt, serial: 1, orderId: 'oA' },
        { ...receipt, serial: 2, orderId: 'oB' },
        { kind: 'credit_note', year: 2026, serial: 1, orderId: 'oB', refundId: 'r1' },
      ],
      counters: [
        { kind: 'receipt', year: 2026, last: 2 },
        { kind: 'credit_note', year: 2026, last: 1 },
      ],
      alerts: { paid_twice: 1 },
      emails: [
        { occasion: 'received:A', isSent: true },
        { occasion: 'received:B', isSent: true },
      ],
    },
    theirs: {
      captures: [
        { provider: 'card', id: 'c1', attemptId: 'a1', amount: 94_00 },
        { provider: 'paypal', id: 'c2', attemptId: 'b1', amount: 94_00 },
        { provider: 'card', id: 'c3', attemptId: 'b2', amount: 94_00 },
      ],
      refunds: [
        { captureId: 'c2', refundId: 'r1', amount: 25_00, isDone: true },
        { captureId: 'c3', refundId: 'r2', amount: 94_00, isDone: true },
      ],
    },
  };
}

const faultsOf = ({ ours, theirs, purchases }: Books) => findings(ours, theirs, purchases).faults;

test('sound books have no fault', () => {
  expect(faultsOf(sound())).toEqual([]);
});

const damages: [string, (books: Books) => unknown][] = [
  ['an acknowledged application is lost', ({ ours }) => ours.applications.pop()],
  [
    'an application was stored twice',
    ({ ours }) =>
      ours.applications.push({
        number: 'C',
        kind: 'visa',
        orderNumber: 'C',
        isWhole: true,
        isPromised: false,
        isMissed: false,
        processing: null,
        missedRefunds: 0,
        isPaid: false,
        status: 'pending',
      }),
  ],
  [
    'an application is of another order',
    ({ ours }) => change(ours.applications[0], { orderNumber: 'B' }),
  ],
  ['lines and order differ', ({ ours }) => change(ours.orders[0], { lines: 93_00 })],
  [
    'an insurance has no certificate',
    ({ ours }) => change(ours.applications[0], { kind: 'insurance' }),
  ],
  ['an order stays unpaid', ({ ours }) => change(ours.orders[0], { paidBy: null })],
  ['a capture is forgotten', ({ ours }) => change(ours.attempts[2], { captureId: null })],
  ['the partner has no capture', ({ theirs }) => theirs.captures.shift()],
  ['the partner took another sum', ({ theirs }) => change(theirs.captures[0], { amount: 93_00 })],
  [
    'the partner captured twice',
    ({ theirs }) =>
      theirs.captures.push({ provider: 'paypal', id: 'c9', attemptId: 'a1', amount: 94_00 }),
  ],
  ['a late capture is kept', ({ theirs }) => theirs.refunds.pop()],
  [
    'the partner refunded twice',
    ({ theirs }) =>
      theirs.refunds.push({ captureId: 'c2', refundId: 'r1', amount: 25_00, isDone: true }),
  ],
  ['a refund is not in the ledger', ({ ours }) => ours.refunds.shift()],
  ['a refund stays on its way', ({ ours }) => change(ours.refunds[0], { state: 'sent' })],
  ['the attempt is undecided', ({ ours }) => change(ours.attempts[0], { state: 'redirected' })],
  ['the claims do not add up', ({ ours }) => change(ours.attempts[1], { claimed: 94_00 })],
  [
    'a missed promise is not made up for',
    ({ ours }) => change(ours.applications[1], { processing: 25_00, missedRefunds: 0 }),
  ],
  [
    'a promise is made up for twice',
    ({ ours }) => change(ours.applications[1], { missedRefunds: 2 }),
  ],
  [
    'a kept promise is made up for',
    ({ ours }) => change(ours.applications[0], { missedRefunds: 1 }),
  ],
  ['a receipt is missing', ({ ours }) => ours.receipts.shift()],
  ['a number was skipped', ({ ours }) => change(ours.receipts[1], { serial: 3 })],
  ['a credit note is missing', ({ ours }) => ours.receipts.pop()],
  ['an e-mail was not sent', ({ ours }) => change(ours.emails[0], { isSent: false })],
  ['there is another alert', ({ ours }) => change(ours.alerts, { wrong_amount: 1 })],
];

test.each(damages)('says so where %s', (_, damage) => {
  const books = sound();
  damage(books);
  expect(faultsOf(books)).not.toEqual([]);
});

function change<T extends object>(one: T | undefined, values: Partial<T>) {
  if (!one) throw new Error('There is nothing to change');
  Object.assign(one, values);
}
