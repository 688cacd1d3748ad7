import { useTranslation } from 'react-i18next';
import { Card, Facts } from '~/ui/card.tsx';

export type SystemFacts = {
  /** Null where the simulated gateway stands in. */
  merchantId: string | null;
  environment: 'production' | 'development';
  supportEmail: string;
};

/** What support asks about first when a payment cannot be started. */
export function SystemStatus({
  facts,
  orderNumber,
}: {
  facts: SystemFacts;
  orderNumber: string | null;
}) {
  const { t } = useTranslation('payment');
  return (
    <section className="mt-12">
      <h2 className="heading-form mb-4">{t('system.title')}</h2>
      <Card>
        <Facts
          facts={[
            {
              term: t('system.gateway'),
              value: t(facts.merchantId ? 'system.card' : 'system.test'),
            },
            {
              term: t('system.merchant'),
              value: facts.merchantId ?? t('system.testMerchant'),
              mono: facts.merchantId !== null,
            },
            { term: t('system.environment'), value: t(`system.${facts.environment}`) },
          ]}
          layout="rows"
        />
      </Card>
      <p className="mt-4">
        {orderNumber
          ? t('system.support', { email: facts.supportEmail, order: orderNumber })
          : t('system.supportAny', { email: facts.supportEmail })}
      </p>
    </section>
  );
}
