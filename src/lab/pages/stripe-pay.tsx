import { data, redirect } from 'react-router';
import { z } from 'zod';
import { toDecimal, usd } from '~/base/money.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { deliveryManners, paymentOutcomes } from '../scenarios.ts';
import { Deliveries, SimulatedPage } from '../simulated-page.tsx';
import { pay, simulatedStripe, type SimulatedStripe } from '../stripe/simulated-stripe.server.ts';
import { sessions } from '../stripe/stripe-resources.server.ts';
import type { Route } from './+types/stripe-pay.ts';

/** The page must not look like Lale's, so it has its own style. */
import '~/ui/css/staff.css';
import './gateway.css';

export const handle = { scriptFree: true, ownLook: true };

const headersOf = { 'Cache-Control': 'no-store' };

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
  if (session?.status === 'complete') return redirect(session.successUrl, { headers: headersOf });
  if (!isOpen) {
    return data({ session: null, isDeclined: false }, { status: 404, headers: headersOf });
  }
  const { id, name, amount, currency } = session;
  const shown = { id, name, value: toDecimal(usd(amount)), currency: currency.toUpperCase() };
  return data({ session: shown, isDeclined: query.has('declined') }, { headers: headersOf });
}

export async function action({ request, context }: Route.ActionArgs) {
  const stripe = stripeOf(context);
  const form = pressed.safeParse(Object.fromEntries(await readForm({ request, context }))).data;
  const session = form && (await sessions.get(stripe.db, form.session));
  if (!session) return data(null, { status: 404, headers: headersOf });
  const address =
    form.intent === 'back'
      ? session.cancelUrl
      : ((await pay(stripe, session.id, form)) ??
        `${stripe.pageUrl}?${new URLSearchParams({ session: session.id, declined: '1' })}`);
  return redirect(address ?? session.successUrl, { headers: headersOf });
}

export const headers = () => headersOf;

function StripePay({ loaderData }: Route.ComponentProps) {
  return <PayPage {...loaderData} />;
}

type ShownSession = { id: string; name: string; value: string; currency: string };

/** The simulated Stripe's payment page, visibly neither Stripe's nor Lale's. It works without scripts. */
function PayPage({ session, isDeclined }: { session: ShownSession | null; isDeclined: boolean }) {
  const { t } = useTranslation('stripe-simulator');
  if (!session) {
    return (
      <SimulatedPage namespace="stripe-simulator" title={t('unknown.title')}>
        <p>{t('unknown.text')}</p>
      </SimulatedPage>
    );
  }
  return (
    <SimulatedPage namespace="stripe-simulator" title={t('title')}>
      {isDeclined ? (
        <p className="gateway-alert" role="alert">
          {t('declined')}
        </p>
      ) : null}
      <dl className="gateway-facts">
        <dt>{t('item')}</dt>
        <dd>
          <bdi>{session.name}</bdi>
        </dd>
        <dt>{t('amount')}</dt>
        <dd data-testid="total">
          <bdi>{`${session.value} ${session.currency}`}</bdi>
        </dd>
      </dl>
      <form className="gateway-form" method="post">
        <input name="session" type="hidden" value={session.id} />
        <button className="gateway-pay" name="intent" type="submit" value="pay">
          {t('pay', session)}
        </button>
        <button className="gateway-cancel" name="intent" type="submit" value="back">
          {t('back')}
        </button>
        <Outcomes />
        <Deliveries namespace="stripe-simulator" />
      </form>
    </SimulatedPage>
  );
}

function Outcomes() {
  const { t } = useTranslation('stripe-simulator');
  return (
    <fieldset className="gateway-choice gateway-whole mt-4">
      <legend>{t('outcome.legend')}</legend>
      {paymentOutcomes.map((outcome) => (
        <label key={outcome}>
          <input defaultChecked={outcome === 'paid'} name="outcome" type="radio" value={outcome} />
          <span>{t(`outcome.${outcome}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

export { StripePay as default };
