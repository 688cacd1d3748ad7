import { useLocation } from 'react-router';
import { RedirectPayment } from '../redirect-payment.tsx';
import { paypalScreenAt } from '../variants.ts';

/** Pages that send the payer to PayPal's own: no script of PayPal's, and no policy that would allow one. */
export default function PaypalRedirectPage() {
  const screen = paypalScreenAt(useLocation().pathname.replace(/\/$/, ''));
  return screen?.redirect ? <RedirectPayment redirect={screen.redirect} /> : null;
}
