import { useTranslation } from '~/ui/texts/texts.tsx';

const steps = ['complete', 'pay', 'download'] as const;

/** Complete the application, make the payment, download the e-visa. */
export function Steps() {
  const { t } = useTranslation('site');
  return (
    <section className="content home-section steps">
      <div className="steps-head">
        <h2>{t('home.steps.title')}</h2>
        <p>{t('home.steps.lead')}</p>
      </div>
      <ol className="steps-list">
        {steps.map((step, index) => (
          <li key={step}>
            <span aria-hidden="true" className="steps-figure">
              {index + 1}
            </span>
            <div>
              <h3>{t(`home.steps.${step}.title`)}</h3>
              <p>{t(`home.steps.${step}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
