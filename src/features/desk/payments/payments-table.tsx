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

/** Attempts, newest first. At 390 px each row is an entry of two columns. */
export function PaymentsTable({ rows }: { rows: readonly PaymentRow[] }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  return (
    <table className="desk-table books-table payments">
      <caption className="visually-hidden">{t('payments.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('payments.moment')}</th>
          <th scope="col">{t('payments.order')}</th>
          <th scope="col">{t('payments.provider')}</th>
          <th className="books-amount" scope="col">
            {t('payments.amount')}
          </th>
          <th scope="col">{t('payments.state')}</th>
          <th scope="col">{t('payments.transaction')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr data-testid="payment-row" key={row.id}>
            <td className="books-moment figures">
              {formatMoment(row.createdAt, language, UTC, 'dated')}
            </td>
            <td className="books-order">
              <OrderLink reference={row.reference} />
            </td>
            <td className="books-provider">{t(`provider.${row.provider}`, row.provider)}</td>
            <td className="books-amount figures">
              <bdi>{formatMoney(row.amount, language)}</bdi>
              {row.refunded.minor > 0 ? (
                <span className="books-refunded">
                  {t('payments.refunded', { amount: formatMoney(row.refunded, language) })}
                </span>
              ) : null}
            </td>
            <td className="books-state">
              <StatusTag tone={tones[row.state]}>
                {t(`desk:detail.attemptState.${row.state}`)}
              </StatusTag>
            </td>
            <td className="books-transaction">
              {row.transaction === null ? (
                <span className="desk-quiet">{t('payments.noTransaction')}</span>
              ) : (
                <bdi className="mono" dir="ltr">
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

/** An order's number, which leads to its page. */
export function OrderLink({ reference }: { reference: string }) {
  return (
    <Link className="books-link" to={`/admin/orders/${reference}`}>
      <NumberCode value={reference} />
    </Link>
  );
}
