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
import { Deliveries, SimulatedPage } from '../simulated-page.tsx';
import type { Route } from './+types/paypal-approval.ts';

/** The page must not look like Lale's, so it has its own style. */
import '~/ui/css/staff.css';
import './gateway.css';

export const handle = { scriptFree: true, ownLook: true };

const headersOf = { 'Cache-Control': 'no-store' };

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
  if (!whole) return data({ order: null }, { status: 404, headers: headersOf });
  const { id, brand, description, value, currency, status } = whole.order;
  if (status !== 'PAYER_ACTION_REQUIRED') {
    return redirect(returnAddress(whole.order), { headers: headersOf });
  }
  return data({ order: { id, brand, description, value, currency } }, { headers: headersOf });
}

export async function action({ request, context }: Route.ActionArgs) {
  const paypal = paypalOf(context);
  const form = pressed.safeParse(Object.fromEntries(await readForm({ request, context }))).data;
  const address =
    form?.intent === 'approve'
      ? await approve(paypal, form.token, form)
      : form && (await cancel(paypal, form.token));
  if (!address) return data(null, { status: 404, headers: headersOf });
  return redirect(address, { headers: headersOf });
}

export const headers = () => headersOf;

function PaypalApproval({ loaderData }: Route.ComponentProps) {
  return <ApprovalPage {...loaderData} />;
}

type ShownOrder = {
  id: string;
  brand: string | null;
  description: string | null;
  value: string;
  currency: string;
};

/** The simulated PayPal's approval page, visibly neither PayPal's nor Lale's. It works without scripts. */
function ApprovalPage({ order }: { order: ShownOrder | null }) {
  const { t } = useTranslation('paypal-simulator');
  if (!order) {
    return (
      <SimulatedPage namespace="paypal-simulator" title={t('unknown.title')}>
        <p>{t('unknown.text')}</p>
      </SimulatedPage>
    );
  }
  return (
    <SimulatedPage namespace="paypal-simulator" title={t('title')}>
      <dl className="gateway-facts">
        <dt>{t('merchant')}</dt>
        <dd>
          <bdi>{order.brand ?? '–'}</bdi>
        </dd>
        <dt>{t('order')}</dt>
        <dd>
          <bdi>{order.description ?? order.id}</bdi>
        </dd>
        <dt>{t('amount')}</dt>
        <dd data-testid="total">
          <bdi>{`${order.value} ${order.currency}`}</bdi>
        </dd>
      </dl>
      <form className="gateway-form" method="post">
        <input name="token" type="hidden" value={order.id} />
        <button className="gateway-pay" name="intent" type="submit" value="approve">
          {t('approve', order)}
        </button>
        <button className="gateway-cancel" name="intent" type="submit" value="cancel">
          {t('cancel')}
        </button>
        <Outcomes />
        <Deliveries namespace="paypal-simulator" />
      </form>
    </SimulatedPage>
  );
}

function Outcomes() {
  const { t } = useTranslation('paypal-simulator');
  return (
    <fieldset className="gateway-choice gateway-whole mt-4">
      <legend>{t('outcome.legend')}</legend>
      {captureOutcomes.map((outcome) => (
        <label key={outcome}>
          <input
            defaultChecked={outcome === 'completed'}
            name="outcome"
            type="radio"
            value={outcome}
          />
          <span>{t(`outcome.${outcome}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

export { PaypalApproval as default };
