import type { ReactNode } from 'react';
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

/** The choice of how a simulated provider sends its webhooks about this payment. */
export function Deliveries({ namespace }: { namespace: 'paypal-simulator' | 'stripe-simulator' }) {
  const { t } = useTranslation(namespace);
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
