import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney, usd } from '~/base/money.ts';
import type { ReportRow } from '~/features/payment/reconcile/store.server.ts';
import { OrderLink } from '../payments/payments-table.tsx';
import { EntryLabel } from '../frame/desk-section.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The attempts in which our ledger and a provider's books differ. */
export function DifferencesTable({
  rows,
  more,
  isFinished,
}: {
  rows: readonly ReportRow[];
  /** There are more than are shown. */
  more: boolean;
  isFinished: boolean;
}) {
  const { t } = useTranslation('books');
  if (rows.length === 0) {
    return <p>{t(isFinished ? 'reconciliation.allAgree' : 'reconciliation.notDone')}</p>;
  }
  return (
    <>
      {isFinished ? null : <p>{t('reconciliation.notDone')}</p>}
      <table className="desk-table row-entries">
        <caption className="sr-only">{t('reconciliation.differences')}</caption>
        <thead className="max-wide:sr-only">
          <tr>
            <th scope="col">{t('payments.order')}</th>
            <th scope="col">{t('payments.provider')}</th>
            <th scope="col">{t('reconciliation.difference')}</th>
            <th scope="col">{t('reconciliation.ours')}</th>
            <th scope="col">{t('reconciliation.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr className="max-wide:grid-cols-2" data-testid="difference-row" key={row.attemptId}>
              <td className="whitespace-nowrap">
                <OrderLink reference={row.reference} />
              </td>
              <td className="max-wide:self-center max-wide:justify-self-end">
                {t(`provider.${row.provider}`, row.provider)}
              </td>
              <td className="*:block max-wide:col-span-2 max-wide:font-semibold">
                {row.differences.map((difference) => (
                  <span key={difference}>{t(`difference.${difference}`)}</span>
                ))}
                {row.settled ? <span className="text-ink-2">{t('difference.settled')}</span> : null}
              </td>
              <td>
                <Books
                  captured={row.ourCapturedMinor}
                  label={t('reconciliation.ours')}
                  refunded={row.ourRefundedMinor}
                />
              </td>
              <td>
                <Books
                  captured={row.theirCapturedMinor}
                  label={t('reconciliation.theirs')}
                  refunded={row.theirRefundedMinor}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more ? <p className="text-ink-2">{t('reconciliation.more')}</p> : null}
    </>
  );
}

function Books({
  label,
  captured,
  refunded,
}: {
  label: string;
  captured: number | null;
  refunded: number | null;
}) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const money = (minor: number) => formatMoney(usd(minor), language);
  return (
    <>
      <EntryLabel>{label}</EntryLabel>
      <span className="figures">
        <bdi>{captured === null ? t('reconciliation.noCapture') : money(captured)}</bdi>
        {refunded ? (
          <span className="block text-tiny text-ink-2">
            {t('payments.refunded', { amount: money(refunded) })}
          </span>
        ) : null}
      </span>
    </>
  );
}
