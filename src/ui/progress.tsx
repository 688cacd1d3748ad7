import type { ReactNode } from 'react';
import { useTranslation } from './texts/texts.tsx';
import { classNames } from './class-names.ts';
import { Link } from './page/link.tsx';

type ProgressStep = { label: ReactNode; to: string };

const label = 'max-wide:sr-only wide:block wide:pt-2.75 wide:pb-1.5';

/** `current` counts from 0. Steps before it are links back; those after it are yet to come. */
export function Progress({ steps, current }: { steps: readonly ProgressStep[]; current: number }) {
  const { t } = useTranslation('ui');
  return (
    <nav aria-labelledby="progress" className="print:hidden">
      <ol className="flex gap-2.5">
        {steps.map((step, index) => (
          <li
            aria-current={index === current ? 'step' : undefined}
            className={classNames(
              'flex-1 border-t-3 text-caption',
              index < current && 'border-turquoise',
              index === current && 'border-ink font-semibold text-ink',
              index > current && 'border-line-2',
              index !== current && 'text-ink-2',
            )}
            key={step.to}
          >
            {index < current ? (
              // The bar is 3 px high; a finger gets 44.
              <Link
                className="block text-ink no-underline decoration-auto hover:underline max-wide:relative max-wide:-mt-5.75 max-wide:-mb-5.25 max-wide:h-11"
                to={step.to}
              >
                <span className={label}>{step.label}</span>
              </Link>
            ) : (
              <span className={label}>{step.label}</span>
            )}
          </li>
        ))}
      </ol>
      {/* Names the list also where it is not shown. */}
      <p
        className="mt-2.75 text-[0.9375rem] leading-[1.4375rem] font-semibold wide:hidden"
        id="progress"
      >
        {t('progress.step', { number: current + 1, total: steps.length })} {steps[current]?.label}
      </p>
    </nav>
  );
}
