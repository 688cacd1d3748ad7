import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import type { PaymentState } from '~/features/payment/machine.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
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
    <table className="desk-table row-entries">
      <caption className="sr-only">{t('payments.caption')}</caption>
      <thead className="max-wide:sr-only">
        <tr>
          <th scope="col">{t('payments.moment')}</th>
          <th scope="col">{t('payments.order')}</th>
          <th scope="col">{t('payments.provider')}</th>
          <th className="text-end whitespace-nowrap" scope="col">
            {t('payments.amount')}
          </th>
          <th scope="col">{t('payments.state')}</th>
          <th scope="col">{t('payments.transaction')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            className="max-wide:grid-cols-[minmax(0,1fr)_fit-content(150px)]"
            data-testid="payment-row"
            key={row.id}
          >
            <td className="figures whitespace-nowrap max-wide:row-start-2 max-wide:whitespace-normal">
              {formatMoment(row.createdAt, language, UTC, 'dated')}
            </td>
            <td className="whitespace-nowrap max-wide:row-start-1">
              <OrderLink reference={row.reference} />
            </td>
            <td className="max-wide:col-start-2 max-wide:row-start-3 max-wide:justify-self-end max-wide:text-ink-2">
              {t(`provider.${row.provider}`, row.provider)}
            </td>
            <td className="figures text-end whitespace-nowrap max-wide:col-start-2 max-wide:row-start-1 max-wide:self-center max-wide:font-semibold">
              <bdi>{formatMoney(row.amount, language)}</bdi>
              {row.refunded.minor > 0 ? (
                <span className="block text-tiny text-ink-2">
                  {t('payments.refunded', { amount: formatMoney(row.refunded, language) })}
                </span>
              ) : null}
            </td>
            <td className="max-wide:col-start-2 max-wide:row-start-2 max-wide:justify-self-end">
              <StatusTag tone={tones[row.state]}>
                {t(`desk:detail.attemptState.${row.state}`)}
              </StatusTag>
            </td>
            <td className="wrap-anywhere max-wide:row-start-3">
              {row.transaction === null ? (
                <span className="text-ink-2">{t('payments.noTransaction')}</span>
              ) : (
                <bdi className="mono text-fine/5 wrap-anywhere" dir="ltr">
                  {row.transaction}
                </bdi>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
