import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatMoney } from '~/base/money.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import type { OrderView } from './order-view.server.ts';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** What was bought, by application, and how much of each line has gone back. */
export function OrderLines({ order }: { order: OrderView }) {
  const { t } = useTranslation(['refund', 'desk']);
  const language = useLanguage();
  return (
    <section className="desk-facts order-section">
      <h2>{t('lines.title')}</h2>
      <table className="desk-table order-table mt-2.5">
        <thead>
          <tr>
            <th scope="col">{t('lines.item')}</th>
            <th className="order-amount" scope="col">
              {t('lines.paid')}
            </th>
            <th className="order-amount" scope="col">
              {t('lines.back')}
            </th>
          </tr>
        </thead>
        {order.applications.map(({ number, status, name }) => (
          <tbody key={number}>
            <tr>
              <th colSpan={3} scope="rowgroup">
                <span className="order-application">
                  <Link className="desk-link" to={`/admin/applications/${number}#application`}>
                    <NumberCode value={number} />
                  </Link>
                  <bdi>{name}</bdi>
                  <ApplicationStatusTag status={status} />
                </span>
              </th>
            </tr>
            {order.lines
              .filter((line) => line.applicationNumber === number)
              .map((line) => (
                <tr key={line.id}>
                  <td>{t(`desk:detail.line.${line.code}`, line.code)}</td>
                  <td className="order-amount">{formatMoney(line.amount, language)}</td>
                  <td className="order-amount">
                    {line.claimed.minor > 0 ? formatMoney(line.claimed, language) : '–'}
                  </td>
                </tr>
              ))}
          </tbody>
        ))}
        <tfoot>
          <tr>
            <th scope="row">{t('lines.total')}</th>
            <td className="order-amount" data-testid="total">
              {formatMoney(order.total, language)}
            </td>
            <td className="order-amount" data-testid="refunded">
              {formatMoney(order.refunded, language)}
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
