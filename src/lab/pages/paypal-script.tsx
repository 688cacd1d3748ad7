import { usePage } from '~/ui/page/page-context.tsx';
import { ScriptPayment } from '../paypal-page/script-payment.tsx';
import { paypalScreenAt } from '../paypal-page/variants.ts';

/** Pages with PayPal's script, the only ones whose policy allows its hosts. */
export const handle = { paypalScript: true };

function PaypalScriptPage() {
  const screen = paypalScreenAt(usePage().address.pathname);
  return screen ? <ScriptPayment screen={screen} /> : null;
}

export { PaypalScriptPage as default };
