import { useTranslation } from '~/ui/texts/texts.tsx';
import { ADULT_YEARS } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { YEAR_DAYS } from '~/features/insurance/rules/plans.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { GirihPattern } from '~/ui/tag/ornament.tsx';
import type { PlanPrice } from '../information/prices-figure.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The plans on sale, shortest first, and the lowest price. */
export function InsurancePromotion({ plans }: { plans: readonly PlanPrice[] }) {
  const { t } = useTranslation('site');
  const language = useLanguage();
  const [cheapest] = [...plans].sort((a, b) => a.price.minor - b.price.minor);
  if (!cheapest) return null;
  return (
    <section className="content">
      <div className="insurance-panel relative overflow-hidden rounded-panel bg-ink px-6 py-9 text-on-ink **:focus-visible:outline-ring-on-ink wide:p-14 [&>:not(.girih)]:relative max-wide:[&>.girih]:hidden">
        <GirihPattern />
        <h2 className="max-w-110 text-cream">
          {t('home.insurance.title', { price: formatMoney(cheapest.price, language) })}
        </h2>
        <p className="mt-3.5 max-w-[640px]">{t('home.insurance.lead', { adult: ADULT_YEARS })}</p>
        <dl className="mt-8 border-y border-ink-line wide:mt-9 wide:grid wide:grid-cols-7">
          {plans.map(({ days, price }) => (
            <div
              className="flex items-baseline justify-between border-ink-line py-2.75 max-wide:not-first:border-t wide:flex-col-reverse wide:items-start wide:justify-end wide:px-4 wide:pt-4.5 wide:pb-5 wide:first:ps-0 wide:not-first:border-s"
              key={days}
            >
              <dt className="text-small">
                {days === YEAR_DAYS
                  ? t('home.insurance.year')
                  : t('home.insurance.days', { count: days })}
              </dt>
              <dd className="figures font-display text-[1.375rem]/[1.75rem] font-semibold text-cream wide:text-[1.625rem]/[2rem]">
                {formatMoney(price, language)}
              </dd>
            </div>
          ))}
        </dl>
        <div className="mt-8 grid gap-5 wide:flex wide:items-center wide:gap-7">
          <ButtonLink className="wide:flex-none" look="light" to="/insurance">
            {t('home.insurance.button')}
          </ButtonLink>
          <p className="max-w-130 text-caption">{t('home.insurance.note')}</p>
        </div>
      </div>
    </section>
  );
}
