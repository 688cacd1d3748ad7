import { usePage } from '~/ui/page/page-context.tsx';
import { RedirectPayment } from '../paypal-page/redirect-payment.tsx';
import { paypalScreenAt } from '../paypal-page/variants.ts';

/** Pages that send the payer to PayPal's own: no script of PayPal's, and no policy that would allow one. */
function PaypalRedirectPage() {
  const screen = paypalScreenAt(usePage().address.pathname);
  return screen?.redirect ? <RedirectPayment redirect={screen.redirect} /> : null;
}

export { PaypalRedirectPage as default };
