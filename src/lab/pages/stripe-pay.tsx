import { data, redirect } from 'react-router';
import { z } from 'zod';
import { toDecimal, usd } from '~/base/money.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { deliveryManners, paymentOutcomes } from '../scenarios.ts';
import { SimulatedPayment, UnknownPayment } from '../simulated-page.tsx';
import { pay, simulatedStripe, type SimulatedStripe } from '../stripe/simulated-stripe.server.ts';
import { sessions } from '../stripe/stripe-resources.server.ts';
import type { Route } from './+types/stripe-pay.ts';

/** The page must not look like Lale's, so it has its own style. */
import '~/ui/css/staff.css';
import './gateway.css';

export const handle = { scriptFree: true, ownLook: true };

const noStore = { 'Cache-Control': 'no-store' };

const pressed = z.object({
  session: z.string().max(100),
  intent: z.enum(['pay', 'back']),
  outcome: z.enum(paymentOutcomes).optional().catch(undefined),
  deliveries: z.enum(deliveryManners).optional().catch(undefined),
});

/**
 * The simulated Stripe.
 * @throws a 404 in live mode, where there is none
 */
function stripeOf(context: Route.LoaderArgs['context']): SimulatedStripe {
  const stripe = simulatedStripe(context.get(platformContext));
  if (!stripe) throw data(null, { status: 404 });
  return stripe;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const stripe = stripeOf(context);
  const query = new URL(request.url).searchParams;
  const session = await sessions.get(stripe.db, query.get('session') ?? '');
  const isOpen = session?.status === 'open' && session.expiresAt > stripe.now();
  if (session?.status === 'complete') return redirect(session.successUrl, { headers: noStore });
  if (!isOpen) {
    return data({ session: null, isDeclined: false }, { status: 404, headers: noStore });
  }
  const { id, name, amount, currency } = session;
  const shown = { id, name, value: toDecimal(usd(amount)), currency: currency.toUpperCase() };
  return data({ session: shown, isDeclined: query.has('declined') }, { headers: noStore });
}

export async function action({ request, context }: Route.ActionArgs) {
  const stripe = stripeOf(context);
  const form = pressed.safeParse(Object.fromEntries(await readForm({ request, context }))).data;
  const session = form && (await sessions.get(stripe.db, form.session));
  if (!session) return data(null, { status: 404, headers: noStore });
  const address =
    form.intent === 'back'
      ? session.cancelUrl
      : ((await pay(stripe, session.id, form)) ??
        `${stripe.pageUrl}?${new URLSearchParams({ session: session.id, declined: '1' })}`);
  return redirect(address ?? session.successUrl, { headers: noStore });
}

export const headers = () => noStore;

/** The simulated Stripe's payment page, visibly neither Stripe's nor Lale's. */
function StripePay({ loaderData: { session, isDeclined } }: Route.ComponentProps) {
  const { t } = useTranslation('stripe-simulator');
  if (!session) return <UnknownPayment namespace="stripe-simulator" />;
  return (
    <SimulatedPayment
      alert={isDeclined ? t('declined') : undefined}
      buttons={[
        { intent: 'pay', label: t('pay', session) },
        { intent: 'back', label: t('back') },
      ]}
      facts={[{ term: t('item'), value: session.name }]}
      hidden={{ name: 'session', value: session.id }}
      namespace="stripe-simulator"
      outcomes={paymentOutcomes.map((outcome) => ({ outcome, label: t(`outcome.${outcome}`) }))}
      total={`${session.value} ${session.currency}`}
    />
  );
}

export { StripePay as default };
