import { useTranslation } from '~/ui/texts/texts.tsx';
import { listFormat } from '~/base/intl.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { Card, Facts } from '~/ui/card.tsx';

export type SystemFacts = {
  /** The providers in the order in which they are offered. */
  gateways: { name: ProviderName; isSimulated: boolean }[];
  /** Null with the simulated gateway. */
  merchantId: string | null;
  environment: 'production' | 'development';
  supportEmail: string;
};

const wordsOf = {
  card: { real: 'system.card', simulated: 'system.test' },
  paypal: { real: 'system.paypal', simulated: 'system.paypalTest' },
  stripe: { real: 'system.stripe', simulated: 'system.stripeTest' },
} as const satisfies Record<ProviderName, unknown>;

/** What support asks about first when a payment cannot be started. */
export function SystemStatus({
  facts,
  orderNumber,
}: {
  facts: SystemFacts;
  orderNumber: string | null;
}) {
  const { t, i18n } = useTranslation('payment');
  const names = facts.gateways.map(({ name, isSimulated }) =>
    t(wordsOf[name][isSimulated ? 'simulated' : 'real']),
  );
  const list = listFormat(i18n.language, { type: 'unit' });
  return (
    <section className="mt-12">
      <h2 className="text-h2-form mb-4">{t('system.title')}</h2>
      <Card>
        <Facts
          facts={[
            { term: t('system.gateway'), value: names.length > 0 ? list.format(names) : '–' },
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
