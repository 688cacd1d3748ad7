import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import type { Office } from '~/base/dates/office.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { FiguresTable } from '~/ui/figures-table.tsx';
import { YEAR_DAYS } from '~/features/insurance/rules/plans.ts';
import { speedFee, quoteVisa, type PriceList } from '~/features/visa/rules/price-list.ts';
import { speedsByPath, type PricePath } from '~/features/visa/rules/speeds.ts';
import { littleGain, promisedMoment } from '~/features/visa/rules/ready-by.ts';
import { speedTime } from '~/features/visa/parts/speed-words.ts';
import { MomentText } from '../moment-text.tsx';

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
  const { t, language } = useTranslation('information');
  const { t: visa } = useTranslation('visa');
  const { t: site } = useTranslation('site');
  return (
    <>
      <FiguresTable
        caption={t(`prices.${path}`)}
        className="mt-5"
        columns={[
          {
            head: site('home.costs.processing'),
            render: (speed) => (
              <>
                {visa(`application:service.${speed.processingType}.name`)}
                <span className="block text-caption text-ink-2">
                  {speedTime(visa, speed, office)}
                </span>
              </>
            ),
          },
          {
            head: site('home.costs.readyBy'),
            render: ({ processingType }) => (
              <>
                <MomentText at={promisedMoment(path, processingType, now, office)} now={now} />
                <GainNote gain={littleGain(path, processingType, now, office)} />
              </>
            ),
          },
          {
            head: site('home.costs.total'),
            render: ({ processingType }) => (
              <>
                <strong>
                  {formatMoney(quoteVisa(prices, path, processingType).total, language)}
                </strong>
                <span className="block text-caption whitespace-nowrap text-ink-2">
                  <bdi dir="ltr">
                    {formatMoney(prices.evisaFee, language)} +{' '}
                    {formatMoney(speedFee(prices, path, processingType), language)}
                  </bdi>
                </span>
              </>
            ),
            isFigure: true,
          },
        ]}
        isStacked
        keyOf={({ processingType }) => processingType}
        rows={speedsByPath(path)}
      />
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
  const { t, language } = useTranslation('information');
  const { t: site } = useTranslation('site');
  if (plans.length === 0) return <p>{t('prices.notOnSale')}</p>;
  return (
    <FiguresTable
      caption={t('prices.insurance')}
      className="mt-5"
      columns={[
        {
          head: t('prices.cover'),
          render: ({ days }) =>
            days === YEAR_DAYS
              ? site('home.insurance.year')
              : site('home.insurance.days', { count: days }),
        },
        {
          head: site('home.costs.total'),
          render: ({ price }) => <strong>{formatMoney(price, language)}</strong>,
          isFigure: true,
        },
      ]}
      keyOf={({ days }) => days}
      rows={plans}
    />
  );
}
