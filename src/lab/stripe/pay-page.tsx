import { useTranslation } from '~/ui/texts/texts.tsx';
import { SimulatedPage } from '../simulated-page.tsx';
import { deliveryManners, paymentOutcomes } from '../scenarios.ts';

export type ShownSession = { id: string; name: string; value: string; currency: string };

/** The simulated Stripe's payment page, visibly neither Stripe's nor Lale's. It works without scripts. */
export function PayPage({
  session,
  isDeclined,
}: {
  session: ShownSession | null;
  isDeclined: boolean;
}) {
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
        <Deliveries />
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

function Deliveries() {
  const { t } = useTranslation('stripe-simulator');
  return (
    <div className="gateway-field gateway-whole">
      <label htmlFor="deliveries">{t('deliveries.label')}</label>
      <select id="deliveries" name="deliveries">
        {deliveryManners.map((manner) => (
          <option key={manner} value={manner}>
            {t(`deliveries.${manner}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
