import { useLocation } from 'react-router';
import { ScriptPayment } from '../script-payment.tsx';
import { paypalScreenAt } from '../variants.ts';

/** Pages that load PayPal's script: they alone are allowed its hosts. */
export const handle = { paypalScript: true };

export default function PaypalScriptPage() {
  const screen = paypalScreenAt(useLocation().pathname.replace(/\/$/, ''));
  return screen ? <ScriptPayment screen={screen} /> : null;
}
