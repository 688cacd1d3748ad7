import { paymentAnswer, paymentRequest } from '~/features/order/api/api.server.ts';
import {
  checkLiveAnswer,
  paypalCaptureAnswer,
  paypalOrderAnswer,
  paypalOrderRequest,
  paypalSetupAnswer,
  paypalSetupRequest,
} from '~/features/order/api/paypal-api.server.ts';
import { START_LIMIT } from '~/features/order/limits.server.ts';
import type { ApiCalls } from './api-call.ts';

const paypalId = { id: 'PayPal’s id of the order' };
const begun = {
  refusals: [
    'order_reference_required',
    'order_of_several',
    'wrong_amount',
    'already_paid',
    'order_changed',
    'order_closed',
    'payment_confirming',
    'payment_start_failed',
    'no_provider',
    'too_many_payments',
  ],
  limits: [{ ...START_LIMIT, counts: 'starts of the payment of one order' }],
} as const;
const repeated =
  'Repeated within half an hour with the same payer, it answers the same payment: no Idempotency-Key is needed.';

/** The calls that pay an order. */
export const paymentCalls: ApiCalls = {
  '/api/payment/create': {
    post: {
      operationId: 'createPayment',
      summary: 'Starts a payment of an order at our card partner',
      description: `The payment is the payer’s for the session that made the order (its cookie), with the payer’s name; else, or with payer: "guest", a guest’s, which carries the name and email of this call. Without orderReference the newest unpaid order of the session is paid. A person opens paymentUrl and types the card there; the order is paid once its status says so. ${repeated}`,
      body: paymentRequest,
      example: {
        amount: '94.00',
        currency: 'USD',
        orderReference: 'TRV7K2M9QXD4HPBR',
        payer: 'guest',
        customerName: 'Thandi Nkosi',
        customerEmail: 'thandi.nkosi@mail.example',
      },
      answer: { status: 200, description: 'Where to send the browser', schema: paymentAnswer },
      ...begun,
    },
  },
  '/paypal/order': {
    post: {
      operationId: 'createPaypalOrder',
      summary: 'Begins a payment at PayPal: the amount is the order’s',
      description: repeated,
      body: paypalOrderRequest,
      example: {
        amount: '94.00',
        currency: 'USD',
        intent: 'CAPTURE',
        orderReference: 'TRV7K2M9QXD4HPBR',
      },
      answer: { status: 200, description: 'PayPal’s order', schema: paypalOrderAnswer },
      ...begun,
    },
  },
  '/paypal/order/{id}': {
    get: {
      operationId: 'getPaypalOrder',
      summary: 'Where a payment at PayPal stands; PayPal is asked, nothing is captured',
      description: 'Answered to the session that began it (its cookie).',
      path: paypalId,
      answer: { status: 200, description: 'PayPal’s order', schema: paypalOrderAnswer },
      refusals: ['paypal_order_not_found'],
    },
  },
  '/paypal/order/{id}/capture': {
    post: {
      operationId: 'capturePaypalOrder',
      summary: 'Takes the money that the payer has approved; repeating it changes nothing',
      description: 'Answered to the session that began it (its cookie).',
      path: paypalId,
      answer: { status: 200, description: 'How it stands', schema: paypalCaptureAnswer },
      refusals: ['paypal_order_not_found'],
    },
  },
  '/paypal/setup': {
    get: {
      operationId: 'getPaypalSetup',
      summary: 'A token for PayPal’s script in the browser',
      query: paypalSetupRequest,
      answer: { status: 200, description: 'Good for a while', schema: paypalSetupAnswer },
      refusals: ['no_answer', 'no_provider'],
    },
  },
  '/api/check-live-paypal': {
    get: {
      operationId: 'checkLivePaypal',
      summary: 'Whether PayPal takes real money here, and its public client id',
      answer: { status: 200, description: 'How it is', schema: checkLiveAnswer },
    },
  },
};
