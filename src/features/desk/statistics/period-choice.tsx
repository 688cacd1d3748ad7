import { useTranslation } from '~/ui/texts/texts.tsx';
import { Pill, Pills } from '../frame/pills.tsx';
import { periodQuery, ranges, stepsOf, type Period } from './period.ts';

/** Links that choose range and step. */
export function PeriodChoice({ period }: { period: Period }) {
  const { t } = useTranslation('statistics');
  const steps = stepsOf[period.range];
  return (
    <div className="mt-4 mb-2 flex flex-wrap gap-x-8 gap-y-2 print:hidden">
      <Pills className="*:min-h-11" label={t('range.label')}>
        {ranges.map((range) => (
          <Pill
            aria-current={range === period.range ? 'page' : undefined}
            key={range}
            preventScrollReset
            to={periodQuery(range, stepsOf[range][0])}
          >
            {t(`range.${range}`)}
          </Pill>
        ))}
      </Pills>
      {steps.length === 1 ? null : (
        <Pills className="*:min-h-11" label={t('step.label')}>
          {steps.map((step) => (
            <Pill
              aria-current={step === period.step ? 'page' : undefined}
              key={step}
              preventScrollReset
              to={periodQuery(period.range, step)}
            >
              {t(`step.${step}`)}
            </Pill>
          ))}
        </Pills>
      )}
    </div>
  );
}
