import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';

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
