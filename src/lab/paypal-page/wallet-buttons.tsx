import {
  PayPalGuestPaymentButton,
  PayPalOneTimePaymentButton,
  PayPalProvider,
  VenmoOneTimePaymentButton,
} from '@paypal/react-paypal-js/sdk-v6';
import { classNames } from '~/ui/class-names.ts';
import { BUTTON_RENDER_DELAY_MS } from './specification.ts';
import {
  useDelayed,
  type PaymentCalls,
  type PaypalSetup,
  useScriptStatus,
} from './use-paypal-payment.tsx';
import type { PaypalFunding } from './variants.ts';

const components = {
  paypal: 'paypal-payments',
  venmo: 'venmo-payments',
  card: 'paypal-guest-payments',
} as const satisfies Record<PaypalFunding, string>;

type Shown = { funding: readonly PaypalFunding[]; isGold: boolean; calls: PaymentCalls };

/** PayPal's own buttons, from version 6 of its script. */
export default function WalletButtons({ setup, ...shown }: Shown & { setup: PaypalSetup }) {
  return (
    <PayPalProvider
      clientId={setup.clientId}
      components={shown.funding.map((one) => components[one])}
      environment={setup.isLive ? 'production' : 'sandbox'}
      pageType="checkout"
    >
      <Buttons {...shown} />
    </PayPalProvider>
  );
}

function Buttons({ funding, isGold, calls }: Shown) {
  const isReady = useScriptStatus(calls) === 'ready';
  const isTime = useDelayed(isReady, BUTTON_RENDER_DELAY_MS);
  if (!isTime) return null;
  const props = {
    createOrder: async () => ({ orderId: await calls.createOrder() }),
    onApprove: ({ orderId }: { orderId: string }) => calls.approve(orderId),
    onCancel: () => calls.cancel(),
    onError: (error: unknown) => calls.fail(error),
  };
  return (
    <div // PayPal fills these with its own: they keep their place while it does.
      className={classNames(
        'grid max-w-[400px] gap-3 *:block *:min-h-12 *:w-full',
        isGold && '[--paypal-button-color:#ffc439]',
      )}
    >
      {funding.includes('paypal') ? <PayPalOneTimePaymentButton {...props} /> : null}
      {funding.includes('venmo') ? <VenmoOneTimePaymentButton {...props} /> : null}
      {funding.includes('card') ? <PayPalGuestPaymentButton {...props} /> : null}
    </div>
  );
}
