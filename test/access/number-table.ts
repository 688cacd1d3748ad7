import { paypalPaths } from '../../src/lab/paypal-page/variants.ts';

/**
 * What somebody learns. `status`: that the order exists, its status and payment, dates, prices, the transaction, its
 * numbers. `traveller`: the traveller's name, as the specification shows it on the status page. A number never tells
 * the payer's name, email address or phone, or a passport number.
 */
type Fact = 'status' | 'traveller';

/** What happens for a visitor without cookies. `changes`: tables in which rows are added or changed. */
type Answer = { learns: readonly Fact[]; changes: readonly string[] };

/**
 * By an order's or an application's number alone; by an attempt's id alone, ours or the provider's. For the desk see
 * `access-table.ts`.
 */
export type NumberRow = { number: Answer; attempt: Answer };

const none: Answer = { learns: [], changes: [] };
const nothing: NumberRow = { number: none, attempt: none };
/** Anybody may pay, with an attempt of their own, which the provider's double stores as well. */
const PAYING = ['payment_attempt', 'payment_partner', 'simulated_document'];
const pays: NumberRow = { number: { learns: ['status'], changes: PAYING }, attempt: none };
const status: NumberRow = {
  number: { learns: ['status', 'traveller'], changes: [] },
  attempt: none,
};
const result: NumberRow = { number: { learns: ['status'], changes: [] }, attempt: none };
/** Test mode only: an order without applications, for anybody who asks. */
const LAB_ORDER = ['purchase_order', 'order_line'];
const lab: NumberRow = {
  number: { learns: ['status'], changes: [...PAYING, ...LAB_ORDER] },
  attempt: { learns: [], changes: [...PAYING, ...LAB_ORDER] },
};
/** Test mode only: the simulated provider's own pages, which are not ours to guard. */
const partner: NumberRow = {
  number: none,
  attempt: { learns: [], changes: ['simulated_document'] },
};
/** Typed answers are stored as a draft of the visitor's own browser; terms when they are first shown to anybody. */
const TYPED: Answer = {
  learns: [],
  changes: ['draft', 'draft_device', 'insurance_terms'],
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
      // Opened by secret links.
      '/receipt',
      '/receipts/:token',
      '/copies/:token',
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
      '/application/change',
      '/insurance/change',
      '/insurance/resume/:token',
      '/insurance/terms/:version?',
      '/insurance/photos/:id',
      '/status/lost-number',
      // Shows anything to the payer's browser alone.
      '/status/cancel',
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
  // A date of birth opens the files; five wrong ones within an hour close them.
  '/status': status,
  '/status/calendar': { number: { learns: ['status'], changes: [] }, attempt: none },
  '/insurance/payment': pays,
  '/pay': pays,
  '/payment-success': result,
  '/payment-cancel': result,
  '/payment-mock': { ...lab, number: pays.number },
  '/mock-gpay-payment': partner,
  '/lab/paypal/checkoutnow': partner,
  '/lab/stripe/pay': partner,
  ...Object.fromEntries(paypalPaths('script').map((path) => [`/${path}`, nothing])),
  ...Object.fromEntries(paypalPaths('redirect').map((path) => [`/${path}`, nothing])),
};

/** Every call outside the desk. One without a row fails the test. */
export const callRows: Record<string, NumberRow> = {
  'GET /api/applications/:number': status,
  'GET /api/insurance/applications/:number': status,
  'GET /api/orders/:number': status,
  // A date of birth opens the files; five wrong ones within an hour close them.
  'POST /api/applications/:number/document': nothing,
  'POST /api/insurance/applications/:number/document': nothing,
  // The link in an email corrects.
  'POST /api/applications/:number/correction': nothing,
  'POST /api/insurance/applications/:number/correction': nothing,
  // The payer alone is told what cancelling returns, and cancels.
  'GET /api/orders/:number/cancellation': nothing,
  'POST /api/orders/:number/cancellation': nothing,
  'POST /api/payment/create': pays,
  'POST /paypal/order': pays,
  // PayPal's id is visible on the status page, so it only opens attempts of the same browser.
  'GET /paypal/order/:id': nothing,
  'POST /paypal/order/:id/capture': nothing,
  // Authorised by the provider's signature, or by an address that we signed.
  'GET /api/payment/return/:provider': nothing,
  'POST /api/payment/return/:provider': nothing,
  'POST /api/payment/notification/:provider': nothing,
  'POST /api/applications': nothing,
  'POST /api/orders': nothing,
  'POST /api/insurance/applications': nothing,
  'GET /api/countries': nothing,
  'GET /api/prices': nothing,
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
  // The simulated providers' server calls: authorised by the merchant's signature, an access token or a secret key.
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
  'POST /lab/stripe/v1/checkout/sessions': nothing,
  'GET /lab/stripe/v1/checkout/sessions/:id': nothing,
  'POST /lab/stripe/v1/checkout/sessions/:id/expire': nothing,
  'POST /lab/stripe/v1/refunds': nothing,
  'GET /lab/stripe/v1/refunds': nothing,
  'GET /lab/stripe/v1/refunds/:id': nothing,
  'GET /lab/stripe/v1/charges/:id': nothing,
  'GET /lab/stripe/v1/disputes/:id': nothing,
  'GET /lab/stripe/v1/balance_transactions': nothing,
};
