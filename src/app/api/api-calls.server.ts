import { z } from 'zod';
import { countriesAnswer, seedAnswer } from '~/features/catalog/country-answer.ts';
import { countriesQuery } from '~/features/catalog/api.server.ts';
import {
  insuranceApplicationAnswer,
  visaApplicationAnswer,
} from '~/features/desk/api/answer-shapes.ts';
import {
  approveRequest,
  attachRequest,
  rejectRequest,
  searchRequest,
  statusRequest,
} from '~/features/desk/api/call-input.server.ts';
import { orderRequest } from '~/features/group/api.server.ts';
import { orderAnswer } from '~/features/group/api-shapes.ts';
import {
  applicationAnswer as insuranceAnswer,
  applicationRequest as insuranceRequest,
  productAnswer,
} from '~/features/insurance/purchase/api-shapes.ts';
import { paymentAnswer, paymentRequest } from '~/features/order/api/api.server.ts';
import {
  checkLiveAnswer,
  paypalCaptureAnswer,
  paypalOrderAnswer,
  paypalOrderRequest,
  paypalSetupAnswer,
  paypalSetupRequest,
} from '~/features/order/api/paypal-api.server.ts';
import { applicationAnswer, applicationRequest } from '~/features/visa/purchase/api.server.ts';

export type Call = {
  summary: string;
  /** Who may call it. */
  staff?: boolean;
  idempotent?: boolean;
  path?: Record<string, string>;
  query?: z.ZodObject;
  body?: z.ZodType;
  answers: Record<number, { description: string; schema?: z.ZodType }>;
};

const number = {
  number:
    'Application number, or the number of an order for one traveller; spaces, hyphens and case do not matter',
};
const orderNumber = { number: 'Order number; spaces, hyphens and case do not matter' };
const ofSeveral =
  'application_not_found: unknown; order_of_several: the number of an order for several travellers, whom GET /api/orders/{number} answers';
const paypalId = { id: 'PayPal’s id of the order' };
const id = { id: 'Id of the application, or its number' };

/** Every documented call: path → method → what it takes and answers, from the schemas that check it. */
export const calls: Record<string, Partial<Record<'get' | 'post' | 'patch', Call>>> = {
  '/api/countries': {
    get: {
      summary: 'Nationalities, their regime and whether an e-visa exists',
      query: countriesQuery,
      answers: { 200: { description: 'All, sorted by name', schema: countriesAnswer } },
    },
  },
  '/api/seed': {
    post: {
      summary: 'Makes sure that the reference data is there; never deletes or overwrites',
      answers: { 200: { description: 'Counts', schema: seedAnswer } },
    },
  },
  '/api/applications': {
    post: {
      summary: 'Applies for an e-visa: the application and its order, or nothing',
      idempotent: true,
      body: applicationRequest,
      answers: {
        201: { description: 'Stored, unpaid', schema: applicationAnswer },
        409: { description: 'totalAmount is not what the price list says; carries the right one' },
      },
    },
  },
  '/api/applications/{number}': {
    get: {
      summary: 'Where an e-visa application stands',
      path: number,
      answers: {
        200: { description: 'Its status; no passport number' },
        404: { description: ofSeveral },
      },
    },
  },
  '/api/insurance/products': {
    get: {
      summary: 'The insurance plans on sale, with their prices',
      answers: { 200: { description: 'All, shortest first', schema: z.array(productAnswer) } },
    },
  },
  '/api/insurance/applications': {
    post: {
      summary: 'Applies for travel insurance: the application and its order, or nothing',
      idempotent: true,
      body: insuranceRequest,
      answers: {
        201: { description: 'Stored, unpaid', schema: insuranceAnswer },
        409: { description: 'totalAmount is not the plan’s price; carries the right one' },
        429: { description: 'Too many photos from this address' },
        503: { description: 'Too many photos are being looked at; try again in a minute' },
      },
    },
  },
  '/api/insurance/applications/{number}': {
    get: {
      summary: 'Where an insurance application stands',
      path: number,
      answers: { 200: { description: 'Its status' }, 404: { description: ofSeveral } },
    },
  },
  '/api/orders': {
    post: {
      summary:
        'Applies for several travellers, with or without insurance: all applications and one order, or nothing',
      idempotent: true,
      body: orderRequest,
      answers: {
        201: { description: 'Stored, unpaid', schema: orderAnswer },
        409: { description: 'totalAmount is not what it costs; carries the right one' },
        429: { description: 'Too many photos from this address' },
      },
    },
  },
  '/api/orders/{number}': {
    get: {
      summary:
        'Where all that an order holds stands, by traveller; asked for by the order’s number',
      path: orderNumber,
      answers: {
        200: { description: 'Its status; no passport number' },
        404: { description: 'Unknown, or the number of one traveller of several' },
      },
    },
  },
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
  '/api/admin/stats': {
    get: { summary: 'The four figures', staff: true, answers: { 200: { description: 'Figures' } } },
  },
  '/api/admin/files': {
    post: {
      summary: 'Uploads a PDF (application/pdf, or a form with `file`), 5 MB at most',
      staff: true,
      answers: { 201: { description: 'Its id, for documentUrl' } },
    },
  },
  '/api/admin/orders/{number}/refund-proposal': {
    post: {
      summary: 'What the refund policy of an order gives back, line by line, for a cause',
      staff: true,
      answers: { 200: { description: 'Amount and reason per line' } },
    },
  },
  '/api/admin/orders/{number}/refunds': {
    post: {
      summary: 'Opens a refund, as proposed or with other amounts and a note; large ones wait',
      staff: true,
      answers: { 201: { description: 'Its id and state' } },
    },
  },
  '/api/admin/refunds/{id}/release': {
    post: {
      summary: 'Releases a refund that somebody else asked for',
      staff: true,
      answers: { 200: { description: 'Its state' } },
    },
  },
  '/api/admin/refunds/{id}/withdraw': {
    post: {
      summary: 'Takes back a refund that waits for release',
      staff: true,
      answers: { 200: { description: 'Its state' } },
    },
  },
};

for (const [segment, staffAnswer] of [
  ['applications', visaApplicationAnswer],
  ['insurance-applications', insuranceApplicationAnswer],
] as const) {
  const base = `/api/admin/${segment}`;
  const decided = {
    200: { description: 'The application as it now is', schema: staffAnswer },
    409: { description: 'Somebody was first' },
  };
  Object.assign(calls, {
    [base]: {
      get: {
        summary: 'Applications, by what is due',
        staff: true,
        answers: { 200: { description: 'A page of 200', schema: z.array(staffAnswer) } },
      },
    },
    [`${base}/search`]: {
      post: {
        summary: 'Applications by first name, last name, e-mail or number',
        staff: true,
        body: searchRequest,
        answers: { 200: { description: 'What was found', schema: z.array(staffAnswer) } },
      },
    },
    [`${base}/{id}/claim`]: {
      post: {
        summary:
          'Claims an open application for ten minutes, unless somebody else is at work on it',
        staff: true,
        path: id,
        answers: {
          200: { description: 'claimedBy: somebody else’s name, or null; claimedUntil' },
          404: { description: 'Unknown' },
        },
      },
    },
    [`${base}/{id}/approve`]: {
      post: {
        summary: 'Approves, with or without the PDF',
        staff: true,
        path: id,
        body: approveRequest,
        answers: decided,
      },
    },
    [`${base}/{id}/reject`]: {
      post: {
        summary: 'Rejects; `reason`, `reasonCode` from the list, or both',
        staff: true,
        path: id,
        body: rejectRequest,
        answers: decided,
      },
    },
    [`${base}/{id}/document`]: {
      post: {
        summary: 'Attaches the PDF later',
        staff: true,
        path: id,
        body: attachRequest,
        answers: decided,
      },
    },
    [`${base}/{id}/status`]: {
      patch: {
        summary: 'Moves the status',
        staff: true,
        path: id,
        body: statusRequest,
        answers: decided,
      },
    },
  } satisfies typeof calls);
}
