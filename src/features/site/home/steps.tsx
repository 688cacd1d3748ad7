import type { WaysToPay } from '~/features/order/fallback-provider.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';

const steps = ['complete', 'pay', 'download'] as const;

/** Complete the application, make the payment, download the e-visa. */
export function Steps({ waysToPay }: { waysToPay: WaysToPay }) {
  const { t } = useTranslation('site');
  const means = t(`home.ways.means.${waysToPay}`);
  const by = t(`home.ways.by.${waysToPay}`);
  return (
    <section className="content py-(--section) max-wide:pt-19 wide:grid wide:grid-cols-[300px_minmax(0,1fr)] wide:gap-18">
      <div>
        <h2>{t('home.steps.title')}</h2>
        <p className="mt-3.25 max-w-155 text-text text-ink-2">{t('home.steps.lead', { means })}</p>
      </div>
      <ol className="mt-7 wide:mt-0 wide:grid wide:grid-cols-3 wide:gap-9">
        {steps.map((step, index) => (
          <li
            className="grid grid-cols-[56px_minmax(0,1fr)] border-t border-line-2 pt-5 pb-4.75 last:pb-0 wide:block wide:border-ink wide:pt-4 wide:pb-0"
            key={step}
          >
            <span
              aria-hidden="true"
              className="font-display text-[2.875rem]/[2.75rem] text-turquoise wide:block wide:text-[4rem]/[4.25rem]"
            >
              {index + 1}
            </span>
            <div>
              <h3 className="wide:mt-2.5">{t(`home.steps.${step}.title`)}</h3>
              <p className="mt-1 text-item text-ink-2 wide:mt-1.75">
                {step === 'pay' ? t('home.steps.pay.text', { by }) : t(`home.steps.${step}.text`)}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
