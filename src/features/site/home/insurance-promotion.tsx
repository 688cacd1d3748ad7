import { useTranslation } from 'react-i18next';
import { formatMoney } from '~/base/money.ts';
import { plans, YEAR_DAYS } from '~/features/insurance/plans.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { GirihPattern } from '~/ui/ornament.tsx';
import { useLanguage } from './use-language.tsx';

export function InsurancePromotion() {
  const { t } = useTranslation('site');
  const language = useLanguage();
  return (
    <section className="content">
      <div className="insurance-panel">
        <GirihPattern />
        <h2>{t('home.insurance.title', { price: formatMoney(plans[0].price, language) })}</h2>
        <p className="insurance-lead">{t('home.insurance.lead')}</p>
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
