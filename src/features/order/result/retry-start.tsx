import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { ProviderName } from '~/base/payment-providers.ts';
import { PayForm } from '../pay-form.tsx';
import { MAX_RETRIES, RETRY_DELAY_MS } from '../payment-start.ts';

/** Retries to start a payment, three times at most; with scripts after a pause that gives the provider time. */
export function RetryStart({
  orderNumber,
  provider,
  retries,
}: {
  orderNumber: string;
  provider: ProviderName;
  retries: number;
}) {
  const { t } = useTranslation('payment');
  const [isWaiting, setWaiting] = useState(false);
  const hasWaited = useRef(false);
  const isOver = retries >= MAX_RETRIES;

  function waitFirst(event: FormEvent<HTMLFormElement>) {
    if (hasWaited.current) return;
    event.preventDefault();
    if (isWaiting) return;
    const form = event.currentTarget;
    setWaiting(true);
    setTimeout(() => {
      hasWaited.current = true;
      form.requestSubmit();
    }, RETRY_DELAY_MS);
  }

  return (
    <>
      <PayForm
        busy={isWaiting}
        disabled={isOver}
        onSubmit={waitFirst}
        orderNumber={orderNumber}
        provider={provider}
      >
        {isWaiting ? t('issue.waiting') : t('issue.retry')}
      </PayForm>
      <PayForm
        disabled={isOver}
        look="secondary"
        newTab
        orderNumber={orderNumber}
        provider={provider}
      >
        {t('issue.newTab')}
      </PayForm>
    </>
  );
}
