import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';
import { paypalPaths } from './features/payment/lab/variants.ts';

/** All nine are one module over the texts in `text/`. */
const information = 'features/site/pages/information.tsx';

/** Every page URL of Lale, in the order of the specification. Calls (`/api/…`) are listed in `api.server.ts`. */
export default [
  layout('features/site/site-layout.tsx', [
    index('features/site/pages/home.tsx'),
    route('application', 'features/visa/pages/nationality.tsx'),
    route('apply', 'features/visa/pages/nationality.tsx', { id: 'apply' }),
    route('application/supporting-document', 'features/visa/pages/supporting-document.tsx'),
    route('application/what-it-allows', 'features/visa/pages/what-it-allows.tsx'),
    route('application/arrival', 'features/visa/pages/arrival.tsx'),
    route('application/prerequisites', 'features/visa/pages/prerequisites.tsx'),
    route('application/details', 'features/visa/pages/details.tsx'),
    route('application/review', 'features/visa/pages/review.tsx'),
    route('application/saved', 'features/visa/pages/saved.tsx'),
    route('application/resume/:token', 'features/visa/pages/resume.tsx'),
    route('insurance', 'features/insurance/pages/insurance.tsx'),
    route('insurance-simple', 'features/insurance/pages/insurance.tsx', { id: 'insurance-simple' }),
    route('insurance/payment', 'features/insurance/pages/payment.tsx'),
    route('verify/:code', 'features/insurance/pages/verify.tsx'),
    route('status', 'features/application/pages/status.tsx'),
    route('download', 'features/application/pages/download.tsx'),
    route('receipt', 'features/order/pages/receipt.tsx'),
    route('payment-success', 'features/application/pages/payment-success.tsx'),
    route('pay', 'features/order/pages/pay.tsx'),
    route('payment-cancel', 'features/order/pages/payment-stopped.tsx'),
    route('gpay-checkout', 'features/payment/pages/gateway-redirect.tsx'),
    layout('features/payment/lab/pages/lab-layout.tsx', [
      route('payment-mock', 'features/payment/lab/pages/mock-payment.tsx'),
      route('debug-payment', 'features/payment/lab/pages/debug.tsx'),
      route('payment-troubleshoot', 'features/payment/lab/pages/diagnostics.tsx'),
      route('direct-card', 'features/payment/lab/pages/direct-card.tsx'),
      route('mobile-test', 'features/payment/lab/pages/checklist.tsx'),
      // Which of them is which stands in the lab's table of variants.
      ...paypalPaths('script').map((path) =>
        route(path, 'features/payment/lab/pages/paypal-script.tsx', { id: path }),
      ),
      ...paypalPaths('redirect').map((path) =>
        route(path, 'features/payment/lab/pages/paypal-redirect.tsx', { id: path }),
      ),
    ]),
    route('faq', information, { id: 'faq' }),
    route('requirements', information, { id: 'requirements' }),
    route('processing-times', information, { id: 'processing-times' }),
    route('terms', information, { id: 'terms' }),
    route('privacy', information, { id: 'privacy' }),
    route('kvkk', information, { id: 'kvkk' }),
    route('cancellation-policy', information, { id: 'cancellation-policy' }),
    route('security', information, { id: 'security' }),
    route('refund', information, { id: 'refund' }),
    route('*', 'features/site/pages/not-found.tsx'),
  ]),
  route('application/keep', 'features/visa/pages/keep.ts'),
  route('documents/:token', 'features/application/pages/document.tsx'),
  route('receipts/:token', 'features/order/pages/receipt-file.ts'),
  route('mock-gpay-payment', 'features/payment/lab/pages/gateway-checkout.tsx'),
  route('lab/paypal/checkoutnow', 'features/payment/lab/pages/paypal-approval.tsx'),
  route('admin', 'features/desk/pages/desk.tsx', [
    route('applications/:number', 'features/desk/pages/application.tsx'),
  ]),
  route('admin/orders/:number', 'features/desk/pages/order.tsx'),
  route('admin/refunds', 'features/desk/pages/refunds.tsx'),
  route('admin/search', 'features/desk/pages/search.ts'),
  route('admin/sign-out', 'features/desk/pages/sign-out.ts'),
  route('admin/second-factor', 'features/desk/pages/second-factor.tsx'),
  route('admin/account', 'features/desk/pages/account.tsx'),
  route('admin/accounts', 'features/desk/pages/accounts.tsx'),
  route('admin/invitation/:token', 'features/desk/pages/invitation.tsx'),
  route('admin/documents/:id', 'features/desk/pages/document.ts'),
  route('admin/receipts/:id', 'features/desk/pages/receipt.ts'),
  route('admin/photos/:id', 'features/desk/pages/photo.ts'),
  route('admin/outbox', 'features/desk/pages/outbox.tsx'),
  route('admin/payments', 'features/desk/pages/payments.tsx'),
  route('admin/reconciliation', 'features/desk/pages/reconciliation.tsx'),
  route('admin/audit', 'features/desk/pages/audit.tsx'),
  route('admin/audit/csv', 'features/desk/pages/audit-csv.ts'),
  route('admin/reconciliation/:day/csv', 'features/desk/pages/reconciliation-csv.ts'),
  // Every state of every component on one page, while developing.
  ...(process.env.NODE_ENV === 'development' ? [route('gallery', 'ui/gallery.tsx')] : []),
] satisfies RouteConfig;
