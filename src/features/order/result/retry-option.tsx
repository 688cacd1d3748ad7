import { useTranslation } from '~/ui/texts/texts.tsx';
import { OtherWay, PayForm } from '../pay-form.tsx';
import { MAX_RETRIES } from '../payment-start.ts';
import { RetryStart } from './retry-start.tsx';
import type { RetryOption } from './stopped.ts';

/** Pays again at the same provider, or at the other one. */
export function PayAgain({ on }: { on: RetryOption }) {
  const { t } = useTranslation('payment');
  return (
    <>
      <PayForm orderNumber={on.orderNumber} provider={on.tried}>
        {t('stopped.again')}
      </PayForm>
      {on.other ? <OtherWay orderNumber={on.orderNumber} provider={on.other} /> : null}
    </>
  );
}

/** After a failed start: the counted retries of the first provider, and the other provider. */
export function OpenAgain({ on }: { on: RetryOption }) {
  const { orderNumber, retries, other, isDown } = on;
  if (!on.isCounted) return <PayAgain on={on} />;
  const isOver = retries >= MAX_RETRIES;
  const retry = <RetryStart orderNumber={orderNumber} provider={on.tried} retries={retries} />;
  if (!other) return retry;
  const look = isOver || isDown ? 'primary' : 'secondary';
  const fallbackProvider = <OtherWay look={look} orderNumber={orderNumber} provider={other} />;
  return isDown ? (
    <>
      {fallbackProvider}
      {retry}
    </>
  ) : (
    <>
      {retry}
      {fallbackProvider}
    </>
  );
}

/** Says how many retries are used, and that there is another provider. */
export function Attempts({ on }: { on: RetryOption }) {
  const { t } = useTranslation('payment');
  return (
    <div className="text-small mt-4 grid gap-1 text-ink-2">
      {on.isCounted ? <p>{t('issue.attempts', { used: on.retries, total: MAX_RETRIES })}</p> : null}
      {on.isCounted && on.other === 'paypal' ? <p>{t('other.note')}</p> : null}
    </div>
  );
}
