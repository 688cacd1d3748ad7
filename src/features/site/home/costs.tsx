import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney } from '~/base/money.ts';
import { feeFor, quote, type PriceList } from '~/features/visa/rules/price-list.ts';
import { cheapestSpeed, speedsFor } from '~/features/visa/rules/speeds.ts';
import { readyBy } from '~/features/visa/rules/ready-by.ts';
import { speedTime } from '~/features/visa/parts/speed-words.ts';
import { LuggageTag } from '~/ui/tag/luggage-tag.tsx';
import { MomentText } from '../moment-text.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

const path = 'without_document';

/** The example that `home.costs.lead` names, too. */
const exampleCode = 'MEX';

/** Every price of the path without a supporting document, and one of them line by line. */
export function Costs({ now, prices }: { now: Date; prices: PriceList }) {
  const { t } = useTranslation('site');
  const { t: visa } = useTranslation('visa');
  const language = useLanguage();
  const { processingType: cheapest } = cheapestSpeed(path);
  const total = (type: string) => formatMoney(quote(prices, path, type).total, language);
  return (
    <section className="content home-section costs">
      <div className="costs-words">
        <h2>{t('home.costs.title')}</h2>
        <p className="lead">{t('home.costs.lead')}</p>
        <table className="costs-table">
          <thead>
            <tr>
              <th scope="col">{t('home.costs.processing')}</th>
              <th scope="col">{t('home.costs.readyBy')}</th>
              <th scope="col">{t('home.costs.total')}</th>
            </tr>
          </thead>
          <tbody>
            {speedsFor(path).map((speed) => (
              <tr key={speed.processingType}>
                <th scope="row">
                  {visa(`speed.${speed.processingType}`)}
                  <span>{speedTime(visa, speed)}</span>
                </th>
                <td>
                  <MomentText at={readyBy(path, speed.processingType, now)} now={now} />
                </td>
                <td className="figures">{total(speed.processingType)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="costs-note">{t('home.costs.note')}</p>
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
