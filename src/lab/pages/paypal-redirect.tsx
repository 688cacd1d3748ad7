import { usePage } from '~/ui/page/page-context.tsx';
import { RedirectPayment } from '../paypal-page/redirect-payment.tsx';
import { paypalScreenAt } from '../paypal-page/variants.ts';

/** Pages that redirect to PayPal, without PayPal's script and the policy that it needs. */
function PaypalRedirectPage() {
  const screen = paypalScreenAt(usePage().address.pathname);
  return screen?.redirect ? <RedirectPayment redirect={screen.redirect} /> : null;
}

export { PaypalRedirectPage as default };
