import { Fragment, type ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { deliveryManners } from './scenarios.ts';

/** The frame of a simulated provider's page, visibly not a page of Lale's. */
export function SimulatedPage({
  namespace,
  title,
  children,
}: {
  namespace: 'gateway' | 'paypal-simulator' | 'stripe-simulator';
  title: string;
  children: ReactNode;
}) {
  const { t } = useTranslation(namespace);
  return (
    <div className="gateway">
      <meta content="noindex" name="robots" />
      <title>{`${title} · ${t('name')}`}</title>
      <header className="gateway-bar">
        <span className="font-semibold">{t('name')}</span>
        <strong className="gateway-test">{t('test')}</strong>
      </header>
      <main className="gateway-main">
        <p className="gateway-note">{t('note')}</p>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}

type Simulator = 'paypal-simulator' | 'stripe-simulator';

/** Says that a payment is not known, in place of its page. */
export function UnknownPayment({ namespace }: { namespace: Simulator }) {
  const { t } = useTranslation(namespace);
  return (
    <SimulatedPage namespace={namespace} title={t('unknown.title')}>
      <p>{t('unknown.text')}</p>
    </SimulatedPage>
  );
}

/**
 * What is paid, the buttons to pay and to leave, and what a tester chooses: what comes of it, and how the webhooks about
 * this payment are sent. It works without scripts.
 */
export function SimulatedPayment({
  namespace,
  alert,
  facts,
  total,
  hidden,
  buttons: [pay, leave],
  outcomes,
}: {
  namespace: Simulator;
  alert?: string | undefined;
  facts: readonly { term: string; value: string }[];
  total: string;
  /** The control that says which payment it is. */
  hidden: { name: string; value: string };
  buttons: readonly [{ intent: string; label: string }, { intent: string; label: string }];
  /** The first one is chosen. */
  outcomes: readonly { outcome: string; label: string }[];
}) {
  const { t } = useTranslation(namespace);
  return (
    <SimulatedPage namespace={namespace} title={t('title')}>
      {alert === undefined ? null : (
        <p className="gateway-alert" role="alert">
          {alert}
        </p>
      )}
      <dl className="gateway-facts">
        {facts.map(({ term, value }) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </Fragment>
        ))}
        <dt>{t('amount')}</dt>
        <dd data-testid="total">
          <bdi>{total}</bdi>
        </dd>
      </dl>
      <form className="gateway-form" method="post">
        <input type="hidden" {...hidden} />
        <button className="gateway-pay" name="intent" type="submit" value={pay.intent}>
          {pay.label}
        </button>
        <button className="gateway-cancel" name="intent" type="submit" value={leave.intent}>
          {leave.label}
        </button>
        <fieldset className="gateway-choice gateway-whole mt-4">
          <legend>{t('outcome.legend')}</legend>
          {outcomes.map(({ outcome, label }, index) => (
            <label key={outcome}>
              <input defaultChecked={index === 0} name="outcome" type="radio" value={outcome} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
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
      </form>
    </SimulatedPage>
  );
}
