import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatMoney } from '~/base/money.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import type { OrderView } from './order-view.server.ts';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The lines of the order by application, and how much of each was refunded or is on its way. */
export function OrderLines({ order }: { order: OrderView }) {
  const { t } = useTranslation(['refund', 'desk']);
  const language = useLanguage();
  return (
    <section className="desk-facts mt-7 scroll-mt-2">
      <h2>{t('lines.title')}</h2>
      <table className="desk-table mt-2.5 [&_:is(th,td)+*]:text-end [&_:is(th,td)+*]:tabular-nums [&_:is(th,td)+td]:whitespace-nowrap">
        <thead>
          <tr>
            <th className="w-1/2" scope="col">
              {t('lines.item')}
            </th>
            <th scope="col">{t('lines.paid')}</th>
            <th scope="col">{t('lines.back')}</th>
          </tr>
        </thead>
        {order.applications.map(({ number, status, name }) => (
          <tbody key={number}>
            <tr>
              <th className="border-line-2 pt-3.5 pb-1.5 leading-6" colSpan={3} scope="rowgroup">
                <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5 [&_.number-code]:text-fine">
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
                  <td>{formatMoney(line.amount, language)}</td>
                  <td>{line.claimed.minor > 0 ? formatMoney(line.claimed, language) : '–'}</td>
                </tr>
              ))}
          </tbody>
        ))}
        <tfoot>
          <tr className="*:border-y *:border-line-2 *:text-[0.875rem] *:font-semibold *:text-ink">
            <th scope="row">{t('lines.total')}</th>
            <td data-testid="total">{formatMoney(order.total, language)}</td>
            <td data-testid="claimed">{formatMoney(order.claimed, language)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
