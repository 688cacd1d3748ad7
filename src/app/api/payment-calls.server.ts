import { paymentAnswer, paymentRequest } from '~/features/order/api/api.server.ts';
import {
  checkLiveAnswer,
  paypalCaptureAnswer,
  paypalOrderAnswer,
  paypalOrderRequest,
  paypalSetupAnswer,
  paypalSetupRequest,
} from '~/features/order/api/paypal-api.server.ts';
import type { ApiCalls } from './api-call.ts';

const paypalId = { id: 'PayPal’s id of the order' };

/** The calls that pay an order. */
export const paymentCalls: ApiCalls = {
  '/api/payment/create': {
    post: {
      summary:
        'Starts a payment of an order: the payer’s for the browser that made the order (its cookie), else a guest’s, which carries the name and e-mail that the call brings',
      body: paymentRequest,
      answers: {
        200: { description: 'Where to send the browser', schema: paymentAnswer },
        409: { description: 'The amount is not the order’s, or the order is paid' },
        502: {
          description: 'The payment could not be started; also says success: false and error',
        },
        429: { description: 'Twenty payments of this order were started in ten minutes' },
      },
    },
  },
  '/paypal/order': {
    post: {
      summary: 'Begins a payment at PayPal: the amount is the order’s',
      body: paypalOrderRequest,
      answers: {
        200: { description: 'PayPal’s order', schema: paypalOrderAnswer },
        409: {
          description: 'The amount is not the order’s (carries the right one), or it is paid',
        },
        422: { description: 'No reference, and no unpaid order of this browser' },
        502: {
          description: 'The payment could not be started; also says success: false and error',
        },
        429: { description: 'Twenty payments of this order were started in ten minutes' },
      },
    },
  },
  '/paypal/order/{id}': {
    get: {
      summary: 'Where a payment at PayPal stands; PayPal is asked, nothing is captured',
      path: paypalId,
      answers: {
        200: { description: 'PayPal’s order', schema: paypalOrderAnswer },
        404: { description: 'Unknown, or begun by another browser (the cookie says)' },
      },
    },
  },
  '/paypal/order/{id}/capture': {
    post: {
      summary: 'Takes the money that the payer has approved; repeating it changes nothing',
      path: paypalId,
      answers: {
        200: { description: 'How it stands', schema: paypalCaptureAnswer },
        404: { description: 'Unknown, or begun by another browser (the cookie says)' },
      },
    },
  },
  '/paypal/setup': {
    get: {
      summary: 'A token for PayPal’s script in the browser',
      query: paypalSetupRequest,
      answers: {
        200: { description: 'Good for a while', schema: paypalSetupAnswer },
        502: { description: 'PayPal gave no answer' },
      },
    },
  },
  '/api/check-live-paypal': {
    get: {
      summary: 'Whether PayPal takes real money here, and its public client id',
      answers: { 200: { description: 'How it is', schema: checkLiveAnswer } },
    },
  },
};
