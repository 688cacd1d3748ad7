import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { usePage } from '../page/page-context.tsx';

export type FieldProblem = {
  /** Name of the field; its first control carries it as `id`. */
  name: string;
  message: ReactNode;
};

/**
 * Stands above the `h1`; each line leads to its field. With scripts it takes the focus when it appears, and after each
 * submission that leaves something wrong, the same or not; not when a line disappears because its field was corrected.
 * The page's title begins with "Error:" (`ui:errorSummary.titlePrefix`).
 */
export function ErrorSummary({ problems }: { problems: readonly FieldProblem[] }) {
  const { t } = useTranslation('ui');
  const box = useRef<HTMLDivElement>(null);
  const { sending } = usePage();
  const isAnswered = sending === null;
  const isEmpty = problems.length === 0;
  useEffect(() => {
    if (isAnswered && !isEmpty) box.current?.focus();
  }, [isAnswered, isEmpty]);
  const count = problems.length;
  if (isEmpty) return null;
  return (
    <div
      aria-labelledby="error-summary-title"
      className="error-summary mb-10 rounded-card border-2 border-tulip bg-paper px-5 pt-4.5 pb-5 wide:px-6.5 wide:pt-5.5 wide:pb-6.5 [.page>&]:max-w-184"
      ref={box}
      role="alert"
      tabIndex={-1}
    >
      <h2 className="error-summary-title" id="error-summary-title">
        {count === 2 ? t('errorSummary.headingTwo') : t('errorSummary.heading', { count })}
      </h2>
      <ul className="mt-3.25 grid gap-1.5">
        {problems.map((problem) => (
          <li key={problem.name}>
            <a className="font-semibold text-error" href={`#${problem.name}`}>
              {problem.message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
