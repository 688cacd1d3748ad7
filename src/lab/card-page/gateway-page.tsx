import { useEffect, type ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { SimulatedPage } from '../simulated-page.tsx';
import { CardEntry } from './card-entry.tsx';
import type { Card, CardErrors } from './card-form.ts';
import { ChallengeForm } from './challenge-form.tsx';

export type Step =
  | { name: 'card'; card: Card; errors: CardErrors }
  | { name: 'challenge'; card: Card };

export type ShownTransaction = {
  orderRef: string;
  amount: string;
  currency: string;
  merchant: string;
};

/** The simulated gateway's checkout, visibly not a page of Lale's. */
export function GatewayPage({
  transaction,
  processingMs,
  step,
}: {
  transaction: ShownTransaction | null;
  /** Milliseconds that "Processing" is shown; null where nothing is being processed. */
  processingMs: number | null;
  step: Step | null;
}) {
  const { t } = useTranslation('gateway');
  if (!transaction) {
    return (
      <Shell title={t('unknown.title')}>
        <p>{t('unknown.text')}</p>
      </Shell>
    );
  }
  if (processingMs !== null) {
    return (
      <Shell title={t('processing.title')} transaction={transaction}>
        <Processing milliseconds={processingMs} orderRef={transaction.orderRef} />
      </Shell>
    );
  }
  if (step?.name === 'challenge') {
    return (
      <Shell title={t('challenge.title')} transaction={transaction}>
        <ChallengeForm card={step.card} orderRef={transaction.orderRef} />
      </Shell>
    );
  }
  return (
    <Shell title={t('title')} transaction={transaction}>
      <CardEntry
        errors={step?.errors ?? {}}
        orderRef={transaction.orderRef}
        payLabel={t('pay', transaction)}
        typed={step?.card ?? null}
      />
    </Shell>
  );
}

function Shell({
  title,
  transaction,
  children,
}: {
  title: string;
  transaction?: ShownTransaction;
  children: ReactNode;
}) {
  const { t } = useTranslation('gateway');
  return (
    <SimulatedPage namespace="gateway" title={title}>
      {transaction ? (
        <dl className="gateway-facts">
          <dt>{t('merchant')}</dt>
          <dd>
            <bdi>{transaction.merchant}</bdi>
          </dd>
          <dt>{t('order')}</dt>
          <dd>
            <bdi>{transaction.orderRef}</bdi>
          </dd>
          <dt>{t('amount')}</dt>
          <dd data-testid="total">
            <bdi>{`${transaction.amount} ${transaction.currency}`}</bdi>
          </dd>
        </dl>
      ) : null}
      {children}
    </SimulatedPage>
  );
}

/** Waits, then loads this page without the flag, which leads back to the merchant. */
function Processing({ orderRef, milliseconds }: { orderRef: string; milliseconds: number }) {
  const { t } = useTranslation('gateway');
  const next = `/mock-gpay-payment?order=${orderRef}`;
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace(next), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, next]);
  return (
    <div role="status">
      <p className="mb-3 font-semibold">{t('processing.text')}</p>
      <p>
        <a href={next}>{t('processing.link')}</a>
      </p>
      <noscript>
        <meta content={`${Math.ceil(milliseconds / 1000)};url=${next}`} httpEquiv="refresh" />
      </noscript>
    </div>
  );
}
