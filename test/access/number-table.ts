import { paypalPaths } from '../../src/lab/paypal-page/variants.ts';

/**
 * What somebody learns. `status`: that the order exists, how it and its payment stand, dates, prices, the transaction, the
 * numbers in it. `traveller`: the name of the traveller, as the specification shows it on the status page. Nobody learns
 * by a number the payer's name, e-mail address or phone, nor a passport number.
 */
type Fact = 'status' | 'traveller';

/** What somebody does who has no cookie. `changes`: tables in which rows are added or changed. */
type Answer = { learns: readonly Fact[]; changes: readonly string[] };

/** By an order's or an application's number alone; by an attempt's id alone, ours or the partner's. The desk has `access-table.ts`. */
export type NumberRow = { number: Answer; attempt: Answer };

const none: Answer = { learns: [], changes: [] };
const nothing: NumberRow = { number: none, attempt: none };
/** Anybody may pay: an attempt of their own, with what the partner keeps of it, and of it alone. */
const PAYING = [
  'payment_attempt',
  'lab_gateway_transaction',
  'lab_paypal_order',
  'payment_partner',
  'lab_paypal_request',
];
const pays: NumberRow = { number: { learns: ['status'], changes: PAYING }, attempt: none };
const status: NumberRow = {
  number: { learns: ['status', 'traveller'], changes: [] },
  attempt: none,
};
const result: NumberRow = { number: { learns: ['status'], changes: [] }, attempt: none };
/** Test mode only: an order without anybody behind it, for whoever asks. */
const LAB_ORDER = ['purchase_order', 'order_line'];
const lab: NumberRow = {
  number: { learns: ['status'], changes: [...PAYING, ...LAB_ORDER] },
  attempt: { learns: [], changes: [...PAYING, ...LAB_ORDER] },
};
/** Test mode only: the simulated partner's own pages stand for a partner that we do not guard. */
const partner: NumberRow = {
  number: none,
  attempt: {
    learns: [],
    changes: ['lab_gateway_transaction', 'lab_paypal_order', 'lab_paypal_event'],
  },
};
/** Answers that somebody types are kept as a draft of their own browser; terms as they are first shown, whoever asks. */
const TYPED: Answer = {
  learns: [],
  changes: [
    'visa_draft',
    'visa_draft_device',
    'insurance_draft',
    'insurance_draft_device',
    'insurance_terms',
  ],
};
const drafts: NumberRow = { number: TYPED, attempt: TYPED };

/** Every page outside the desk. One without a row fails the test. */
export const pageRows: Record<string, NumberRow> = {
  '': nothing,
  '/*': nothing,
  ...Object.fromEntries(
    [
      '/faq',
      '/requirements',
      '/processing-times',
      '/terms',
      '/privacy',
      '/kvkk',
      '/security',
      '/cancellation-policy',
      '/refund',
      '/download',
      '/verify/:code',
      // By secret links.
      '/receipt',
      '/receipts/:token',
      '/documents/:token',
      '/my-order/:token',
      '/gpay-checkout',
      '/application/correct/:token',
      '/application/resume/:token',
      '/insurance/correct/:token',
      '/application/saved',
      '/payment-troubleshoot',
      '/debug-payment',
      '/mobile-test',
      '/texts',
      '/application/change',
      '/insurance/change',
      '/insurance/resume/:token',
      '/insurance/terms/:version?',
      '/insurance/photos/:id',
      '/status/lost-number',
      '/test-mode',
      '/direct-card',
    ].map((path) => [path, nothing]),
  ),
  ...Object.fromEntries(
    [
      '/application',
      '/apply',
      '/application/supporting-document',
      '/application/what-it-allows',
      '/application/arrival',
      '/application/prerequisites',
      '/application/details',
      '/application/review',
      '/application/travellers',
      '/application/keep',
      '/insurance',
      '/insurance-simple',
      '/insurance/review',
      '/insurance/saved',
      '/insurance/keep',
    ].map((path) => [path, drafts]),
  ),
  // A date of birth opens the files, after five tries in an hour no more.
  '/status': status,
  '/insurance/payment': pays,
  '/pay': pays,
  '/payment-success': result,
  '/payment-cancel': result,
  '/payment-mock': {
    ...lab,
    number: { learns: ['status'], changes: [...PAYING, 'lab_gateway_event'] },
  },
  '/mock-gpay-payment': partner,
  '/lab/paypal/checkoutnow': partner,
  ...Object.fromEntries(paypalPaths('script').map((path) => [`/${path}`, nothing])),
  ...Object.fromEntries(paypalPaths('redirect').map((path) => [`/${path}`, nothing])),
};

/** Every call outside the desk. One without a row fails the test. */
export const callRows: Record<string, NumberRow> = {
  'GET /api/applications/:number': status,
  'GET /api/insurance/applications/:number': status,
  'GET /api/orders/:number': status,
  'POST /api/payment/create': pays,
  'POST /paypal/order': pays,
  // PayPal's id stands on the status page: it opens what the same browser has begun.
  'GET /paypal/order/:id': nothing,
  'POST /paypal/order/:id/capture': nothing,
  // By the partner's signature, or by an address that we signed.
  'GET /api/payment/return/:provider': nothing,
  'POST /api/payment/return/:provider': nothing,
  'POST /api/payment/notification/:provider': nothing,
  'POST /api/applications': nothing,
  'POST /api/orders': nothing,
  'POST /api/insurance/applications': nothing,
  'GET /api/countries': nothing,
  'GET /api/insurance/products': nothing,
  'POST /api/seed': nothing,
  'GET /paypal/setup': nothing,
  'GET /api/check-live-paypal': nothing,
  'POST /csp-reports': nothing,
  'GET /robots.txt': nothing,
  'GET /.well-known/security.txt': nothing,
  'GET /sitemap.xml': nothing,
  'GET /speculation-rules.json': nothing,
  'GET /api/openapi.json': nothing,
  'GET /api/docs': nothing,
  // The simulated partners' server side: by the merchant's signature, or by an access token.
  'POST /lab/gateway/v1/checkout': nothing,
  'POST /lab/gateway/v1/transactions/query': nothing,
  'POST /lab/gateway/v1/refunds': nothing,
  'POST /lab/gateway/v1/refunds/query': nothing,
  'POST /lab/paypal/v1/oauth2/token': nothing,
  'GET /lab/paypal/v1/notifications/certs/:id': nothing,
  'POST /lab/paypal/v1/identity/generate-token': nothing,
  'POST /lab/paypal/v2/checkout/orders': nothing,
  'GET /lab/paypal/v2/checkout/orders/:id': nothing,
  'POST /lab/paypal/v2/checkout/orders/:id/capture': nothing,
  'POST /lab/paypal/v2/payments/captures/:id/refund': nothing,
  'GET /lab/paypal/v2/payments/captures/:id': nothing,
  'GET /lab/paypal/v2/payments/refunds/:id': nothing,
};
