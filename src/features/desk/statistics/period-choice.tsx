import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { periodQuery, ranges, stepsOf, type Period } from './period.ts';

/** Which days, in which steps. Links: each choice has its address. */
export function PeriodChoice({ period }: { period: Period }) {
  const { t } = useTranslation('statistics');
  const steps = stepsOf[period.range];
  return (
    <div className="statistics-choice">
      <nav aria-label={t('range.label')} className="desk-pills">
        {ranges.map((range) => (
          <Link
            aria-current={range === period.range ? 'page' : undefined}
            key={range}
            preventScrollReset
            to={periodQuery(range, stepsOf[range][0])}
          >
            {t(`range.${range}`)}
          </Link>
        ))}
      </nav>
      {steps.length === 1 ? null : (
        <nav aria-label={t('step.label')} className="desk-pills">
          {steps.map((step) => (
            <Link
              aria-current={step === period.step ? 'page' : undefined}
              key={step}
              preventScrollReset
              to={periodQuery(period.range, step)}
            >
              {t(`step.${step}`)}
            </Link>
          ))}
        </nav>
      )}
    </div>
  );
}
