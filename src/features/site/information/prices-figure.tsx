import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { YEAR_DAYS } from '~/features/insurance/rules/plans.ts';
import { feeFor, quote, type PriceList } from '~/features/visa/rules/price-list.ts';
import { speedsFor, type Path } from '~/features/visa/rules/speeds.ts';
import { readyBy } from '~/features/visa/rules/ready-by.ts';
import { speedTime } from '~/features/visa/parts/speed-words.ts';
import { MomentText } from '../moment-text.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** Every speed of a path with its time, the moment it would be ready by, and its price. */
export function VisaPrices({ path, now, prices }: { path: Path; now: Date; prices: PriceList }) {
  const { t } = useTranslation('information');
  const { t: visa } = useTranslation('visa');
  const { t: site } = useTranslation('site');
  const language = useLanguage();
  return (
    <>
      <table className="figures-table prices-table speeds-table">
        <caption className="visually-hidden">{t(`prices.${path}`)}</caption>
        <thead>
          <tr>
            <th scope="col">{site('home.costs.processing')}</th>
            <th scope="col">{site('home.costs.readyBy')}</th>
            <th scope="col">{site('home.costs.total')}</th>
          </tr>
        </thead>
        <tbody>
          {speedsFor(path).map((speed) => (
            <tr key={speed.processingType}>
              <th scope="row">
                {visa(`speed.${speed.processingType}`)}
                <span>{speedTime(visa, speed)}</span>
              </th>
              <td data-label={site('home.costs.readyBy')}>
                <MomentText at={readyBy(path, speed.processingType, now)} now={now} />
              </td>
              <td className="figures">
                <strong>
                  {formatMoney(quote(prices, path, speed.processingType).total, language)}
                </strong>
                <span className="whitespace-nowrap">
                  <bdi dir="ltr">
                    {formatMoney(prices.evisaFee, language)} +{' '}
                    {formatMoney(feeFor(prices, path, speed.processingType), language)}
                  </bdi>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small text-ink-2">
        {t('prices.note', { moment: formatMoment(now, language, UTC, 'dated') })}
      </p>
    </>
  );
}

export type PlanPrice = { days: number; price: Money };

export function InsurancePrices({ plans }: { plans: readonly PlanPrice[] }) {
  const { t } = useTranslation('information');
  const { t: site } = useTranslation('site');
  const language = useLanguage();
  if (plans.length === 0) return <p>{t('prices.notOnSale')}</p>;
  return (
    <table className="figures-table prices-table">
      <caption className="visually-hidden">{t('prices.insurance')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('prices.cover')}</th>
          <th scope="col">{site('home.costs.total')}</th>
        </tr>
      </thead>
      <tbody>
        {plans.map(({ days, price }) => (
          <tr key={days}>
            <th scope="row">
              {days === YEAR_DAYS
                ? site('home.insurance.year')
                : site('home.insurance.days', { count: days })}
            </th>
            <td className="figures">
              <strong>{formatMoney(price, language)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
