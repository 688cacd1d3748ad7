import { formatMoney } from '~/base/money.ts';
import { lineLabel } from '~/features/order/receipt/line-label.ts';
import { Button } from '~/ui/button.tsx';
import { useDeadlines } from '~/ui/moment.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { CancelView } from './cancel-view.server.ts';
import { ConfirmForm, useArrival } from './plain-views.tsx';

type Quote = Extract<CancelView, { kind: 'quote' }>;

/**
 * What is refunded, line by line, and until when; with the button that cancels.
 */
export function QuoteForm({ quote, reference }: { quote: Quote; reference: string }) {
  const { t } = useTranslation('cancellation');
  const language = useLanguage();
  const arrival = useArrival();
  const deadline = useDeadlines();
  const amount = formatMoney(quote.total, language);
  const isNothing = quote.total.minor === 0;
  const again = new URLSearchParams({ ref: reference });
  return (
    <>
      <p className="lead" data-testid="refund">
        {isNothing ? t('quote.nothing') : t('quote.total', { amount })}
      </p>
      {quote.applications.map((application) => (
        <QuoteTable application={application} key={application.number} />
      ))}
      {quote.holdsUntil ? (
        <p className="mt-6" data-testid="holds-until">
          {t(quote.isWhilePending ? 'quote.untilPending' : 'quote.until', {
            moment: deadline(quote.holdsUntil, 'long'),
          })}
        </p>
      ) : null}
      <ul className="mt-4 grid list-disc grid-cols-1 gap-2 ps-6">
        <li>{t('quote.final')}</li>
        {quote.endsCover ? <li>{t('quote.endsCover')}</li> : null}
        {quote.leavesOthers ? <li>{t('quote.leavesOthers')}</li> : null}
        {isNothing ? null : (
          <li>
            {t('quote.method')} {arrival}
          </li>
        )}
      </ul>
      <p className="mt-4">
        <Link to="/cancellation-policy">{t('quote.policy')}</Link>
      </p>
      <ConfirmForm
        id={quote.id}
        leave={t('keep')}
        numbers={quote.applications.map(({ number }) => number)}
        reference={reference}
        shown={quote.shown}
      >
        <Button look="danger">
          {isNothing ? t('quote.cancelOnly') : t('quote.cancel', { amount })}
        </Button>
      </ConfirmForm>
      {quote.canChoose ? (
        <p className="mt-4">
          <Link to={`/status/cancel?${again}`}>{t('quote.chooseOthers')}</Link>
        </p>
      ) : null}
    </>
  );
}

function QuoteTable({ application }: { application: Quote['applications'][number] }) {
  const { t } = useTranslation(['cancellation', 'application', 'receipt', 'refund']);
  const receipt = useTranslation('receipt').t;
  const language = useLanguage();
  const { kind, name, lines } = application;
  return (
    <table className="mt-6 w-full border-collapse wrap-anywhere">
      <caption className="pb-2 text-start font-semibold">
        {t('what', { what: t(`application:kind.${kind}`), name })}
      </caption>
      <thead>
        <tr className="border-b border-ink text-small text-ink-2">
          <th className="py-2 text-start font-semibold" scope="col">
            {t('quote.item')}
          </th>
          <th className="py-2 ps-3 text-end font-semibold" scope="col">
            {t('quote.paid')}
          </th>
          <th className="py-2 ps-3 text-end font-semibold" scope="col">
            {t('quote.refund')}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, code, detail, paid, refund, reason }) => (
          <tr className="border-b border-line align-top" key={id}>
            <th className="py-3 text-start font-normal" scope="row">
              {lineLabel(receipt, { code, detail })}
              <span className="block text-small text-ink-2">{t(`refund:reason.${reason}`)}</span>
            </th>
            <td className="py-3 ps-3 text-end whitespace-nowrap tabular-nums">
              <bdi>{formatMoney(paid, language)}</bdi>
            </td>
            <td className="py-3 ps-3 text-end whitespace-nowrap tabular-nums">
              <bdi>{formatMoney(refund, language)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
