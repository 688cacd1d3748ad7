import { useTranslation } from '~/ui/texts/texts.tsx';
import { SimulatedPage } from '../simulated-page.tsx';
import { captureOutcomes, deliveryManners } from '../scenarios.ts';

export type ShownOrder = {
  id: string;
  brand: string | null;
  description: string | null;
  value: string;
  currency: string;
};

/** The simulated PayPal's approval page, visibly neither PayPal's nor Lale's. It works without scripts. */
export function ApprovalPage({ order }: { order: ShownOrder | null }) {
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
        <Deliveries />
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

function Deliveries() {
  const { t } = useTranslation('paypal-simulator');
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
