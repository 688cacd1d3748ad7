import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import type { PaymentState } from '~/features/payment/machine.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { EntriesTable } from '../frame/lists.tsx';
import type { PaymentRow } from './payments.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

const tones: Record<PaymentState, StatusTone> = {
  created: 'neutral',
  redirected: 'neutral',
  pending: 'amber',
  authorised: 'amber',
  completed: 'green',
  failed: 'red',
  cancelled: 'neutral',
  expired: 'neutral',
  captured_late: 'amber',
  partially_refunded: 'blue',
  refunded: 'blue',
};

/** Attempts, newest first. On narrow screens each row is an entry of two columns. */
export function PaymentsTable({ rows }: { rows: readonly PaymentRow[] }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  return (
    <EntriesTable
      caption={t('payments.caption')}
      columns={[
        {
          head: t('payments.moment'),
          className: 'figures whitespace-nowrap max-wide:row-start-2 max-wide:whitespace-normal',
          render: ({ createdAt }) => formatMoment(createdAt, language, UTC, 'dated'),
        },
        {
          head: t('payments.order'),
          className: 'whitespace-nowrap max-wide:row-start-1',
          render: ({ reference }) => <OrderLink reference={reference} />,
        },
        {
          head: t('payments.provider'),
          className:
            'max-wide:col-start-2 max-wide:row-start-3 max-wide:justify-self-end max-wide:text-ink-2',
          render: ({ provider }) => t(`provider.${provider}`, provider),
        },
        {
          head: t('payments.amount'),
          className:
            'whitespace-nowrap max-wide:col-start-2 max-wide:row-start-1 max-wide:self-center max-wide:font-semibold',
          isFigure: true,
          render: ({ amount, refunded }) => (
            <>
              <bdi>{formatMoney(amount, language)}</bdi>
              {refunded.minor > 0 ? (
                <span className="block text-tiny text-ink-2">
                  {t('payments.refunded', { amount: formatMoney(refunded, language) })}
                </span>
              ) : null}
            </>
          ),
        },
        {
          head: t('payments.state'),
          className: 'max-wide:col-start-2 max-wide:row-start-2 max-wide:justify-self-end',
          render: ({ state }) => (
            <StatusTag tone={tones[state]}>{t(`desk:detail.attemptState.${state}`)}</StatusTag>
          ),
        },
        {
          head: t('payments.transaction'),
          className: 'wrap-anywhere max-wide:row-start-3',
          render: ({ transaction }) =>
            transaction === null ? (
              <span className="text-ink-2">{t('payments.noTransaction')}</span>
            ) : (
              <bdi className="mono text-fine/5 wrap-anywhere" dir="ltr">
                {transaction}
              </bdi>
            ),
        },
      ]}
      entries={rows}
      rowOf={({ id }) => ({
        key: id,
        className: 'max-wide:grid-cols-[minmax(0,1fr)_fit-content(150px)]',
      })}
      testId="payment-row"
    />
  );
}

/** An order's number, linked to its page. */
export function OrderLink({ reference }: { reference: string }) {
  return (
    <Link
      className="inline-flex min-h-8 items-center max-wide:min-h-11"
      to={`/admin/orders/${reference}`}
    >
      <NumberCode value={reference} />
    </Link>
  );
}
