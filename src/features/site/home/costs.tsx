import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Closure } from '~/base/dates/closures.ts';
import { formatMoney } from '~/base/money.ts';
import { feeFor, quote, type PriceList } from '~/features/visa/rules/price-list.ts';
import { cheapestSpeed, speedsFor } from '~/features/visa/rules/speeds.ts';
import { readyBy } from '~/features/visa/rules/ready-by.ts';
import { speedTime } from '~/features/visa/parts/speed-words.ts';
import { LuggageTag } from '~/ui/tag/luggage-tag.tsx';
import { MomentText } from '../moment-text.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

const path = 'without_document';

/** The example that `home.costs.lead` names. */
const exampleCode = 'MEX';

/** Every price of the path without a supporting document, and one of them line by line. */
export function Costs({
  now,
  prices,
  closures,
}: {
  now: Date;
  prices: PriceList;
  closures: readonly Closure[];
}) {
  const { t } = useTranslation('site');
  const { t: visa } = useTranslation('visa');
  const language = useLanguage();
  const { processingType: cheapest } = cheapestSpeed(path);
  const total = (type: string) => formatMoney(quote(prices, path, type).total, language);
  return (
    <section className="content grid grid-cols-1 gap-10 py-(--section) wide:grid-cols-[400px_minmax(0,1fr)] wide:gap-[clamp(40px,6.25vw,80px)]">
      <div className="wide:col-start-2 wide:row-start-1">
        <h2>{t('home.costs.title')}</h2>
        <p className="lead mt-2.5">{t('home.costs.lead')}</p>
        <table className="mt-8 w-full">
          <thead className="max-wide:sr-only">
            <tr className="border-b border-ink *:pb-2.5 *:align-top *:text-table-head">
              <th className="w-[57%] text-start" scope="col">
                {t('home.costs.processing')}
              </th>
              <th className="text-start" scope="col">
                {t('home.costs.readyBy')}
              </th>
              <th className="text-end" scope="col">
                {t('home.costs.total')}
              </th>
            </tr>
          </thead>
          <tbody>
            {speedsFor(path).map((speed) => (
              <tr
                className="grid grid-cols-[minmax(0,1fr)_auto] border-b border-line py-3.5 wide:table-row wide:*:py-4 wide:*:align-top wide:*:leading-[1.5rem]"
                key={speed.processingType}
              >
                <th className="text-start font-semibold" scope="row">
                  {visa(`speed.${speed.processingType}`)}
                  <span className="block text-caption text-ink-2">{speedTime(visa, speed)}</span>
                </th>
                <td className="row-start-2 text-[1rem]">
                  <MomentText at={readyBy(path, speed.processingType, now, closures)} now={now} />
                </td>
                <td className="figures col-start-2 row-start-1 text-end font-semibold">
                  {total(speed.processingType)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="mt-4.5 max-w-150 text-small text-ink-2">{t('home.costs.note')}</p>
      </div>
      <LuggageTag
        facts={[
          { term: t('home.costs.fee'), value: formatMoney(prices.evisaFee, language) },
          {
            term: t('home.costs.standard'),
            value: formatMoney(feeFor(prices, path, cheapest), language),
          },
        ]}
        from={{ code: exampleCode, label: t('home.costs.passport') }}
        label={t('home.costs.tag')}
        numberLabel={t('home.costs.nothingAdded')}
        numberPrefix="TRV"
        to={{ code: 'TUR', label: t('home.costs.destination') }}
        total={{ label: t('home.costs.total'), amount: total(cheapest) }}
      />
    </section>
  );
}
