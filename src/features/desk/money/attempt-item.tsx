import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { reasonKey } from '~/features/order/result/stopped.ts';
import type { PaymentState } from '~/features/payment/machine.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

type Attempt = {
  state: PaymentState;
  provider: string;
  amount: Money;
  /** The provider's reason for a failure; null for none. */
  reason: string | null;
  transaction: string | null;
  createdAt: Date;
};
type Message = { id: string; event: string; at: Date; result: string };

/** One payment attempt with the provider's events. The children are its refunds. */
export function AttemptItem({
  attempt,
  messages,
  children,
}: {
  attempt: Attempt;
  messages: readonly Message[];
  children: ReactNode;
}) {
  const { t } = useTranslation(['refund', 'desk', 'payment']);
  const language = useLanguage();
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  const { state, provider, amount, reason, transaction, createdAt } = attempt;
  return (
    <li>
      <p className="font-semibold text-ink">{t(`desk:detail.attemptState.${state}`)}</p>
      <p>
        {t('desk:detail.attemptValue', {
          amount: formatMoney(amount, language),
          provider: t(`desk:detail.provider.${provider}`, provider),
          moment: moment(createdAt),
        })}
      </p>
      {reason ? (
        <p>
          {t(`payment:reason.${reasonKey(reason)}`)}{' '}
          <bdi className="mono" dir="ltr">
            {reason}
          </bdi>
        </p>
      ) : null}
      {transaction ? (
        <p>
          {t('desk:detail.transaction')}{' '}
          <bdi className="mono" dir="ltr">
            {transaction}
          </bdi>
        </p>
      ) : null}
      {children}
      {messages.length > 0 ? (
        <details className="desk-more">
          <summary>{t('attempts.events', { count: messages.length })}</summary>
          <ul>
            {messages.map(({ id, event, at, result }) => (
              <li className="py-1" key={id}>
                <span className="mono">
                  <bdi dir="ltr">{`${event} → ${result}`}</bdi>
                </span>{' '}
                {moment(at)}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  );
}
