import { data, redirect } from 'react-router';
import { z } from 'zod';
import { platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import {
  approve,
  cancel,
  returnAddress,
  simulatedPaypal,
  type SimulatedPaypal,
} from '../paypal/simulated-paypal.server.ts';
import { wholeOrder } from '../paypal/paypal-resources.server.ts';
import { captureOutcomes, deliveryManners } from '../scenarios.ts';
import { SimulatedPayment, UnknownPayment } from '../simulated-page.tsx';
import type { Route } from './+types/paypal-approval.ts';

/** The page must not look like Lale's, so it has its own style. */
import '~/ui/css/staff.css';
import './gateway.css';

export const handle = { scriptFree: true, ownLook: true };

const noStore = { 'Cache-Control': 'no-store' };

const pressed = z.object({
  token: z.string().max(36),
  intent: z.enum(['approve', 'cancel']),
  outcome: z.enum(captureOutcomes).optional().catch(undefined),
  deliveries: z.enum(deliveryManners).optional().catch(undefined),
});

/**
 * The simulated PayPal.
 * @throws a 404 in live mode, where there is none
 */
function paypalOf(context: Route.LoaderArgs['context']): SimulatedPaypal {
  const paypal = simulatedPaypal(context.get(platformContext));
  if (!paypal) throw data(null, { status: 404 });
  return paypal;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const paypal = paypalOf(context);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const whole = await wholeOrder(paypal.db, token);
  if (!whole) return data({ order: null }, { status: 404, headers: noStore });
  const { id, brand, description, value, currency, status } = whole.order;
  if (status !== 'PAYER_ACTION_REQUIRED') {
    return redirect(returnAddress(whole.order), { headers: noStore });
  }
  return data({ order: { id, brand, description, value, currency } }, { headers: noStore });
}

export async function action({ request, context }: Route.ActionArgs) {
  const paypal = paypalOf(context);
  const form = pressed.safeParse(Object.fromEntries(await readForm({ request, context }))).data;
  const address =
    form?.intent === 'approve'
      ? await approve(paypal, form.token, form)
      : form && (await cancel(paypal, form.token));
  if (!address) return data(null, { status: 404, headers: noStore });
  return redirect(address, { headers: noStore });
}

export const headers = () => noStore;

/** The simulated PayPal's approval page, visibly neither PayPal's nor Lale's. */
function PaypalApproval({ loaderData: { order } }: Route.ComponentProps) {
  const { t } = useTranslation('paypal-simulator');
  if (!order) return <UnknownPayment namespace="paypal-simulator" />;
  return (
    <SimulatedPayment
      buttons={[
        { intent: 'approve', label: t('approve', order) },
        { intent: 'cancel', label: t('cancel') },
      ]}
      facts={[
        { term: t('merchant'), value: order.brand ?? '–' },
        { term: t('order'), value: order.description ?? order.id },
      ]}
      hidden={{ name: 'token', value: order.id }}
      namespace="paypal-simulator"
      outcomes={captureOutcomes.map((outcome) => ({ outcome, label: t(`outcome.${outcome}`) }))}
      total={`${order.value} ${order.currency}`}
    />
  );
}

export { PaypalApproval as default };
