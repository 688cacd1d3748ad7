import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from './page/link.tsx';

export type ProgressStep = { label: ReactNode; to: string };

/** `current` counts from 0. Steps before it are links back; those after it are yet to come. */
export function Progress({ steps, current }: { steps: readonly ProgressStep[]; current: number }) {
  const { t } = useTranslation('ui');
  return (
    <nav aria-label={t('progress.label')} className="progress">
      <ol className="progress-steps">
        {steps.map((step, index) => (
          <li
            aria-current={index === current ? 'step' : undefined}
            className={index < current ? 'is-done' : index === current ? 'is-now' : 'is-next'}
            key={step.to}
          >
            {index < current ? (
              <Link to={step.to}>
                <span className="progress-label">{step.label}</span>
              </Link>
            ) : (
              <span className="progress-label">{step.label}</span>
            )}
          </li>
        ))}
      </ol>
      <p aria-hidden="true" className="progress-line">
        {t('progress.step', { number: current + 1, total: steps.length })} {steps[current]?.label}
      </p>
    </nav>
  );
}
