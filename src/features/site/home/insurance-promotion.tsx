import { useTranslation } from '~/ui/texts/texts.tsx';
import { ADULT_YEARS } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { YEAR_DAYS } from '~/features/insurance/rules/plans.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { GirihPattern } from '~/ui/tag/ornament.tsx';
import type { PlanPrice } from '../information/prices-figure.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** What is on sale, shortest first, and what the cheapest costs. */
export function InsurancePromotion({ plans }: { plans: readonly PlanPrice[] }) {
  const { t } = useTranslation('site');
  const language = useLanguage();
  const [cheapest] = plans.toSorted((a, b) => a.price.minor - b.price.minor);
  if (!cheapest) return null;
  return (
    <section className="content">
      <div className="insurance-panel">
        <GirihPattern />
        <h2>{t('home.insurance.title', { price: formatMoney(cheapest.price, language) })}</h2>
        <p className="mt-3.5 max-w-[640px]">{t('home.insurance.lead', { adult: ADULT_YEARS })}</p>
        <dl className="insurance-plans">
          {plans.map(({ days, price }) => (
            <div key={days}>
              <dt>
                {days === YEAR_DAYS
                  ? t('home.insurance.year')
                  : t('home.insurance.days', { count: days })}
              </dt>
              <dd>{formatMoney(price, language)}</dd>
            </div>
          ))}
        </dl>
        <div className="insurance-actions">
          <ButtonLink look="light" to="/insurance">
            {t('home.insurance.button')}
          </ButtonLink>
          <p>{t('home.insurance.note')}</p>
        </div>
      </div>
    </section>
  );
}
