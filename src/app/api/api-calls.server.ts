import { z } from 'zod';
import { documentAnswer, documentRequest } from '~/features/status/api.server.ts';
import { LOOKUP_LIMIT } from '~/features/status/lookup.server.ts';
import {
  insuranceStatusAnswer,
  orderStatusAnswer,
  visaStatusAnswer,
} from '~/features/status/status-answer.ts';
import { BIRTH_DATE_TRIES } from '~/features/status/status-view.ts';
import {
  cancelAnswer,
  cancellationAnswer,
  cancellationQuery,
  cancelRequest,
} from '~/features/status/cancel-api.server.ts';
import { countriesAnswer, seedAnswer } from '~/features/catalog/country-answer.ts';
import { countriesQuery } from '~/features/catalog/api.server.ts';
import {
  correctionAnswer,
  insuranceCorrectionRequest,
  visaCorrectionRequest,
} from '~/features/status/correct.server.ts';
import { orderRequest, orderAnswer } from '~/features/group/api.server.ts';
import {
  applicationAnswer as insuranceAnswer,
  applicationRequest as insuranceRequest,
  productAnswer,
} from '~/features/insurance/purchase/api-shapes.ts';
import { PHOTO_LIMIT } from '~/features/insurance/purchase/photo-upload.server.ts';
import {
  applicationAnswer,
  applicationRequest,
  pricesAnswer,
  pricesQuery,
} from '~/features/visa/purchase/api.server.ts';
import type { ApiCalls } from './api-call.ts';
import { staffCalls } from './staff-calls.server.ts';
import { paymentAnswer, paymentRequest } from '~/features/order/api.server.ts';
import {
  checkLiveAnswer,
  paypalCaptureAnswer,
  paypalOrderAnswer,
  paypalOrderRequest,
  paypalSetupAnswer,
  paypalSetupRequest,
} from '~/features/order/paypal-api.server.ts';
import { START_LIMIT } from '~/features/order/checkout.server.ts';

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
const paymentCalls: ApiCalls = {
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

const number = {
  number:
    'Application number, or the number of an order for one traveller; spaces, hyphens and case do not matter',
};
const lookUps = { ...LOOKUP_LIMIT, counts: 'numbers that were not found, of one address' };
const ofNumber = [
  'application_not_found',
  'order_of_several',
  'empty_number',
  'short_number',
  'mistyped_number',
  'too_many_lookups',
] as const;
const cancelled = {
  number:
    'Number of the order or of one of its applications; spaces, hyphens and case do not matter',
};
const ofPayer =
  'The payer is known by the session cookie of the call that filed the order, as the browser that did is.';
const ofCancellation = [
  'application_not_found',
  'too_many_lookups',
  'unpaid',
  'not_payer',
  'not_cancellable',
] as const;
const photos = { ...PHOTO_LIMIT, counts: 'photos from one address' };

const traveller = {
  firstName: 'Thandi',
  lastName: 'Nkosi',
  email: 'thandi.nkosi@mail.example',
  phone: '+27 31 555 0142',
  passportNumber: 'A01234567',
  passportIssueDate: '2022-03-01',
  passportExpiryDate: '2032-02-28',
  dateOfBirth: '1990-05-17',
  placeOfBirth: 'Durban',
  motherName: 'Zanele Nkosi',
  fatherName: 'Sipho Nkosi',
  address: '12 Marine Parade, 4001 Durban',
  arrivalDate: '2027-01-15',
  processingType: 'standard',
  documentType: 'ordinary',
  countryId: 'ZAF',
};

/** The calls about one application: where it stands, its document, and correcting it. */
const statusCalls = (
  base: string,
  {
    what,
    schema,
    suffix,
    correction,
  }: { what: string; schema: z.ZodType; suffix: string; correction: z.ZodType },
): ApiCalls => ({
  [`${base}/{number}`]: {
    get: {
      operationId: `get${suffix}Status`,
      summary: `Where ${what} stands`,
      description: 'Right numbers are not counted by the limit: poll as many as you have.',
      path: number,
      answer: { status: 200, description: 'Its status; no passport number', schema },
      refusals: ofNumber,
      limits: [lookUps],
    },
  },
  [`${base}/{number}/document`]: {
    post: {
      operationId: `open${suffix}Document`,
      summary: `Opens the PDF of ${what}, once downloadAvailable is true`,
      path: number,
      body: documentRequest,
      example: { dateOfBirth: traveller.dateOfBirth },
      answer: { status: 200, description: 'Where to download it', schema: documentAnswer },
      refusals: [...ofNumber, 'no_document', 'date_of_birth_differs', 'locked'],
      limits: [
        lookUps,
        {
          name: '',
          points: BIRTH_DATE_TRIES,
          seconds: 3600,
          counts: 'wrong dates of birth for one application',
        },
      ],
    },
  },
  [`${base}/{number}/correction`]: {
    post: {
      operationId: `correct${suffix}Application`,
      summary: `Corrects the answers of ${what} that our team has asked to correct, once`,
      description:
        'correctionFields of the status says which; the others of the body are ignored. Before payment there is nothing to correct: file it again.',
      path: number,
      body: correction,
      example: {
        link: 'https://lale.example/en/application/correct/eyJjb3JyZWN0aW9uIjoi',
        passportNumber: 'A01234568',
      },
      answer: { status: 200, description: 'Corrected', schema: correctionAnswer },
      refusals: ['correction_over', 'nothing_changed'],
    },
  },
});

/** Every documented call, described by the schemas that check it. */
export const calls: ApiCalls = {
  '/api/countries': {
    get: {
      operationId: 'listCountries',
      summary: 'Nationalities, their regime and whether an e-visa exists',
      query: countriesQuery,
      answer: {
        status: 200,
        description: 'All, sorted by name',
        schema: countriesAnswer,
        headers: { ETag: 'Send it as If-None-Match: 304 says that nothing changed' },
      },
    },
  },
  '/api/prices': {
    get: {
      operationId: 'getPrices',
      summary:
        'What an e-visa costs for a nationality, how soon it is ready, and who may arrive when',
      description:
        'As of now: ready-by times move with the clock. Insurance: GET /api/insurance/products.',
      query: pricesQuery,
      answer: { status: 200, description: 'By speed', schema: pricesAnswer },
      refusals: ['invalid'],
    },
  },
  '/api/seed': {
    post: {
      operationId: 'seed',
      summary: 'Makes sure that the reference data is there; never deletes or overwrites',
      answer: { status: 200, description: 'Counts', schema: seedAnswer },
    },
  },
  '/api/applications': {
    post: {
      operationId: 'applyForVisa',
      summary: 'Applies for an e-visa: the application and its order, or nothing',
      description:
        'Where GET /api/prices says supportingDocumentRequired, supportingDocumentType, visaCountry or residenceCountry, supportingDocumentNumber and supportingDocumentEndDate are needed as well. The same traveller may be filed twice: our team is told of possible duplicates, callers are not.',
      idempotent: true,
      body: applicationRequest,
      example: { ...traveller, totalAmount: '94.00' },
      answer: { status: 201, description: 'Stored, unpaid', schema: applicationAnswer },
      refusals: ['wrong_total'],
    },
  },
  ...statusCalls('/api/applications', {
    what: 'an e-visa application',
    schema: visaStatusAnswer,
    suffix: 'Visa',
    correction: visaCorrectionRequest,
  }),
  '/api/insurance/products': {
    get: {
      operationId: 'listInsuranceProducts',
      summary: 'The insurance plans on sale, with their prices',
      answer: {
        status: 200,
        description: 'All, shortest first; names in English',
        schema: z.array(productAnswer),
        headers: { ETag: 'Send it as If-None-Match: 304 says that nothing changed' },
      },
    },
  },
  '/api/insurance/applications': {
    post: {
      operationId: 'applyForInsurance',
      summary: 'Applies for travel insurance: the application and its order, or nothing',
      idempotent: true,
      body: insuranceRequest,
      example: {
        firstName: 'Diego',
        lastName: 'Reyes',
        email: 'diego@correo.example',
        phone: '+52 55 1234 5678',
        passportNumber: 'G51740382',
        nationality: 'MEX',
        travelDate: '2027-01-12',
        returnDate: '2027-01-21',
        tripDurationDays: 10,
        destination: 'Turkey',
        dateOfBirth: '1991-07-14',
        placeOfBirth: 'Puebla',
        documentType: 'ordinary',
        productId: '14-days',
        totalAmount: '149.00',
        parentIdPhotos: null,
      },
      answer: { status: 201, description: 'Stored, unpaid', schema: insuranceAnswer },
      refusals: ['wrong_total', 'insurance_not_on_sale', 'too_many_photos', 'busy'],
      limits: [photos],
    },
  },
  ...statusCalls('/api/insurance/applications', {
    what: 'an insurance',
    schema: insuranceStatusAnswer,
    suffix: 'Insurance',
    correction: insuranceCorrectionRequest,
  }),
  '/api/orders': {
    post: {
      operationId: 'placeOrder',
      summary:
        'Applies for several travellers, with or without insurance: all applications and one order, or nothing',
      description: 'Errors name the traveller: applications[1].passportNumber.',
      idempotent: true,
      body: orderRequest,
      example: {
        applications: [
          traveller,
          {
            ...traveller,
            firstName: 'Sipho',
            passportNumber: 'A07654321',
            dateOfBirth: '1988-04-12',
          },
        ],
        insurances: [{ application: 0, productId: '7-days' }],
        totalAmount: '302.00',
      },
      answer: { status: 201, description: 'Stored, unpaid', schema: orderAnswer },
      refusals: ['wrong_total', 'too_many_photos', 'busy'],
      limits: [photos],
    },
  },
  '/api/orders/{number}': {
    get: {
      operationId: 'getOrderStatus',
      summary:
        'Where all that an order holds stands, by traveller; asked for by the order’s number',
      path: { number: 'Order number; spaces, hyphens and case do not matter' },
      answer: {
        status: 200,
        description: 'Its status; no passport number',
        schema: orderStatusAnswer,
      },
      refusals: ofNumber.filter((code) => code !== 'order_of_several'),
      limits: [lookUps],
    },
  },
  '/api/orders/{number}/cancellation': {
    get: {
      operationId: 'quoteCancellation',
      summary: 'What cancelling applications of a paid order returns now; for its payer',
      description: ofPayer,
      path: cancelled,
      query: cancellationQuery,
      answer: { status: 200, description: 'By application', schema: cancellationAnswer },
      refusals: ofCancellation,
      limits: [lookUps],
    },
    post: {
      operationId: 'cancelApplications',
      summary:
        'Cancels applications of a paid order at the refund that was quoted, or none of them',
      description: ofPayer,
      path: cancelled,
      body: cancelRequest,
      example: {
        id: '4f9d1c1e-8f0a-4a53-b3a5-2b4f6f1f7c10',
        applications: ['TRV7K2M9QXD4HPBR'],
        refundAmount: '94.00',
      },
      answer: { status: 200, description: 'Cancelled', schema: cancelAnswer },
      refusals: [...ofCancellation, 'refund_differs', 'not_refundable', 'other_order'],
      limits: [lookUps],
    },
  },
  ...paymentCalls,
  ...staffCalls,
};
