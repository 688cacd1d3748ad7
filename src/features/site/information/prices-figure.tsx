import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import type { Office } from '~/base/dates/office.ts';
import { languageColon } from '~/base/languages.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { YEAR_DAYS } from '~/features/insurance/rules/plans.ts';
import { speedFee, quoteVisa, type PriceList } from '~/features/visa/rules/price-list.ts';
import { speedsByPath, type PricePath } from '~/features/visa/rules/speeds.ts';
import { littleGain, promisedMoment } from '~/features/visa/rules/ready-by.ts';
import { speedTime } from '~/features/visa/parts/speed-words.ts';
import { MomentText } from '../moment-text.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** Every speed of a path with its time, the moment it would be ready by, and its price. */
export function VisaPrices({
  path,
  now,
  prices,
  office,
}: {
  path: PricePath;
  now: Date;
  prices: PriceList;
  office: Office;
}) {
  const { t } = useTranslation('information');
  const { t: visa } = useTranslation('visa');
  const { t: site } = useTranslation('site');
  const language = useLanguage();
  return (
    <>
      <table className="figures-table mt-5">
        <caption className="sr-only">{t(`prices.${path}`)}</caption>
        <thead className="max-wide:sr-only">
          <tr>
            <th scope="col">{site('home.costs.processing')}</th>
            <th scope="col">{site('home.costs.readyBy')}</th>
            <th className="text-end" scope="col">
              {site('home.costs.total')}
            </th>
          </tr>
        </thead>
        {/* On narrow screens: name and total in one line, the moment below. */}
        <tbody className="max-wide:block max-wide:border-t max-wide:border-ink">
          {speedsByPath(path).map((speed) => (
            <tr
              className="max-wide:grid max-wide:grid-cols-[minmax(0,1fr)_auto] max-wide:gap-x-4 max-wide:gap-y-1.5 max-wide:border-b max-wide:border-line max-wide:py-3.5 max-wide:*:border-0 max-wide:*:p-0"
              key={speed.processingType}
            >
              <th scope="row">
                {visa(`application:service.${speed.processingType}.name`)}
                <span className="block text-caption text-ink-2">
                  {speedTime(visa, speed, office)}
                </span>
              </th>
              <td
                className="max-wide:col-span-2 max-wide:row-start-2 max-wide:before:text-ink-2 max-wide:before:content-[attr(data-label)]"
                data-label={`${site('home.costs.readyBy')}${languageColon(language)} `}
              >
                <MomentText
                  at={promisedMoment(path, speed.processingType, now, office)}
                  now={now}
                />
                <GainNote gain={littleGain(path, speed.processingType, now, office)} />
              </td>
              <td className="figures text-end max-wide:col-start-2 max-wide:row-start-1">
                <strong>
                  {formatMoney(quoteVisa(prices, path, speed.processingType).total, language)}
                </strong>
                <span className="block text-caption whitespace-nowrap text-ink-2">
                  <bdi dir="ltr">
                    {formatMoney(prices.evisaFee, language)} +{' '}
                    {formatMoney(speedFee(prices, path, speed.processingType), language)}
                  </bdi>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-small text-ink-2">
        <Trans components={{ moment: <MomentText at={now} /> }} i18nKey="prices.note" t={t} />
      </p>
    </>
  );
}

function GainNote({ gain }: { gain: ReturnType<typeof littleGain> }) {
  const { t } = useTranslation('visa');
  if (gain === null) return null;
  return (
    <span className="block text-caption text-ink-2">
      {t('arrival.littleFaster', {
        count: gain.minutes,
        speed: t(`application:service.${gain.than}.name`),
      })}
    </span>
  );
}

export type PlanPrice = { days: number; price: Money };

export function InsurancePrices({ plans }: { plans: readonly PlanPrice[] }) {
  const { t } = useTranslation('information');
  const { t: site } = useTranslation('site');
  const language = useLanguage();
  if (plans.length === 0) return <p>{t('prices.notOnSale')}</p>;
  return (
    <table className="figures-table mt-5">
      <caption className="sr-only">{t('prices.insurance')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('prices.cover')}</th>
          <th className="text-end" scope="col">
            {site('home.costs.total')}
          </th>
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
            <td className="figures text-end">
              <strong>{formatMoney(price, language)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
