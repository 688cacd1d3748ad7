import { type MappedTable, mapped } from './data-map.server.ts';
import { otherMap } from './other-map-store.server.ts';
import { travellerMap } from './traveller-map-store.server.ts';
import {
  order,
  orderCancellation,
  orderLine,
  orderPayerDevice,
  orderRefund,
  orderRefundLine,
} from '~/features/order/tables.server.ts';
import { orderReceipt, receiptCounter } from '~/features/order/receipt/tables.server.ts';
import {
  paymentMovement,
  reconciliation,
  reconciliationRow,
} from '~/features/payment/reconcile/tables.server.ts';
import { paymentNotification } from '~/features/payment/heard/tables.server.ts';
import { paymentPartner } from '~/features/payment/providers/tables.server.ts';
import {
  paymentAlert,
  paymentAttempt,
  paymentEvent,
  paymentRefund,
} from '~/features/payment/settlement/tables.server.ts';

const ACCOUNTS = 'accounts and tax';
const PAY = 'to take a payment and to give it back';

/** Orders, payments, receipts: the ledger, which the law has us keep. */
const orderMap: readonly MappedTable[] = [
  mapped(order, {
    about: 'payer',
    purpose: `${PAY}; ${ACCOUNTS}`,
    kept: ['ledger'],
    erasure: 'emptied',
    rows: [['id', 'orderIds']],
    columns: {
      shown: [
        'number',
        'amountMinor',
        'currency',
        'language',
        'customerName',
        'customerEmail',
        'createdAt',
        'paidAt',
        'closedAt',
        'remindedAt',
        'refundPolicy',
      ],
      hashed: ['sessionHash'],
      internal: ['id', 'emailVersion', 'paidBy', 'failedStarts', 'lab'],
    },
  }),
  mapped(orderPayerDevice, {
    about: 'payer',
    purpose: 'to show an order to the browser of its payer',
    kept: ['payerDevice'],
    erasure: 'deleted',
    rows: [['orderId', 'orderIds']],
    columns: { shown: ['createdAt'], hashed: ['sessionHash'], internal: ['orderId'] },
  }),
  mapped(orderLine, {
    about: 'payer',
    purpose: ACCOUNTS,
    kept: ['ledger'],
    erasure: 'kept',
    rows: [
      ['orderId', 'orderIds'],
      ['applicationNumber', 'numbers'],
    ],
    columns: {
      shown: ['position', 'applicationNumber', 'code', 'detail', 'amountMinor'],
      internal: ['id', 'orderId'],
    },
  }),
  mapped(orderRefund, {
    about: 'payer',
    purpose: `${PAY}; ${ACCOUNTS}`,
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['orderId', 'orderIds']],
    columns: {
      shown: ['applicationNumbers', 'cause', 'askedAt', 'note', 'requestedAt', 'completedAt'],
      staff: ['requestedBy'],
      internal: ['id', 'orderId'],
    },
  }),
  mapped(orderCancellation, {
    about: 'payer',
    purpose: PAY,
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['orderId', 'orderIds']],
    columns: { shown: ['applicationNumbers', 'cancelledAt'], internal: ['id', 'orderId'] },
  }),
  mapped(orderRefundLine, {
    about: 'payer',
    purpose: ACCOUNTS,
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['refundId', 'refundIds']],
    columns: {
      shown: ['amountMinor', 'proposedMinor', 'reason'],
      internal: ['id', 'refundId', 'orderLineId'],
    },
  }),
  mapped(orderReceipt, {
    about: 'payer',
    purpose: ACCOUNTS,
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['orderId', 'orderIds']],
    columns: {
      shown: ['kind', 'year', 'serial', 'facts', 'issuedAt'],
      internal: ['id', 'orderId', 'refundId'],
    },
  }),
  mapped(receiptCounter, {
    about: 'nobody',
    purpose: ACCOUNTS,
    kept: [],
    erasure: 'none',
    columns: { internal: ['kind', 'year', 'last'] },
  }),
  mapped(paymentAttempt, {
    about: 'payer',
    purpose: PAY,
    kept: ['ledger'],
    erasure: 'emptied',
    rows: [['id', 'attemptIds']],
    columns: {
      shown: [
        'reference',
        'amountMinor',
        'currency',
        'provider',
        'providerReference',
        'state',
        'begunBy',
        'captureId',
        'refundedMinor',
        'reason',
        'createdAt',
        'changedAt',
        'completedAt',
      ],
      hashed: ['sessionHash'],
      // Where the browser was sent, and only until the attempt is decided: what it carries is all above.
      withheld: ['checkoutRedirect'],
      internal: ['id', 'claimedMinor', 'askAt', 'supersededAt', 'cameBackAt'],
    },
  }),
  mapped(paymentRefund, {
    about: 'payer',
    purpose: PAY,
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['attemptId', 'attemptIds']],
    columns: {
      shown: [
        'amountMinor',
        'currency',
        'state',
        'providerRefundId',
        'reason',
        'requestedAt',
        'sentAt',
        'decidedAt',
        'failure',
      ],
      staff: ['requestedBy', 'releasedBy'],
      internal: ['id', 'attemptId', 'releasedAt', 'changedAt', 'askAt'],
    },
  }),
  mapped(paymentEvent, {
    about: 'payer',
    purpose: `${PAY}: what the payment partner signed, as evidence`,
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['attemptId', 'attemptIds']],
    columns: {
      shown: ['provider', 'event', 'payload', 'receivedAt', 'result'],
      internal: ['id', 'eventId', 'attemptId'],
    },
  }),
  mapped(paymentAlert, {
    about: 'payer',
    purpose: 'to look at what is wrong with a payment',
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['attemptId', 'attemptIds']],
    columns: {
      shown: ['kind', 'detail', 'raisedAt', 'resolvedAt', 'resolution'],
      staff: ['resolvedBy'],
      internal: ['id', 'attemptId', 'once'],
    },
  }),
  mapped(paymentNotification, {
    about: 'nobody',
    purpose: 'to know whether payment partners reach us',
    kept: [],
    erasure: 'none',
    columns: { internal: ['provider', 'endpoint', 'heardAt'] },
  }),
  mapped(paymentPartner, {
    about: 'nobody',
    purpose: 'to know whether a payment partner is down',
    kept: [],
    erasure: 'none',
    columns: { internal: ['provider', 'failures', 'lastFailureAt', 'downSince'] },
  }),
  mapped(reconciliation, {
    about: 'nobody',
    purpose: ACCOUNTS,
    kept: ['ledger'],
    erasure: 'none',
    columns: {
      internal: [
        'day',
        'provider',
        'startedAt',
        'finishedAt',
        'attempts',
        'unanswered',
        'differing',
        'capturedMinor',
        'refundedMinor',
        'feesMinor',
      ],
    },
  }),
  mapped(paymentMovement, {
    about: 'nobody',
    purpose: ACCOUNTS,
    kept: ['ledger'],
    erasure: 'none',
    columns: {
      internal: [
        'provider',
        'id',
        'kind',
        'at',
        'captureId',
        'refundId',
        'amountMinor',
        'feeMinor',
        'readAt',
      ],
    },
  }),
  mapped(reconciliationRow, {
    about: 'payer',
    purpose: ACCOUNTS,
    kept: ['ledger'],
    erasure: 'kept',
    rows: [['attemptId', 'attemptIds']],
    columns: {
      shown: ['day', 'provider', 'reference', 'state', 'capturedMinor', 'refundedMinor'],
      internal: [
        'attemptId',
        'ourCapturedMinor',
        'ourRefundedMinor',
        'ourRefundingMinor',
        'theirCapturedMinor',
        'theirCaptureId',
        'theirRefundedMinor',
        'differences',
        'differs',
        'settled',
      ],
    },
  }),
];

/**
 * Every table of the service and every column of it: whose data it is, what for, how long it is kept, what an export
 * and an erasure do with it. A table or a column that is not here fails `test/personal-data.test.ts`.
 */
export const wholeMap: readonly MappedTable[] = [...travellerMap, ...orderMap, ...otherMap];
