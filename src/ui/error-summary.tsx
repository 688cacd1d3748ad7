import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export type FieldProblem = {
  /** Name of the field; its first control carries it as `id`. */
  name: string;
  message: ReactNode;
};

/**
 * Stands above the `h1`; each line leads to its field. With scripts it takes the focus when it appears or names other
 * fields; a `key` per submission makes it do so for the same ones again.
 * The page's title begins with "Error:" (`ui:errorSummary.titlePrefix`).
 */
export function ErrorSummary({ problems }: { problems: readonly FieldProblem[] }) {
  const { t } = useTranslation('ui');
  const box = useRef<HTMLDivElement>(null);
  const names = problems.map(({ name }) => name).join(' ');
  // By name, not by identity: a page that renders again while somebody types must not lose their place.
  useEffect(() => {
    if (names !== '') box.current?.focus();
  }, [names]);
  const count = problems.length;
  if (count === 0) return null;
  return (
    <div
      aria-labelledby="error-summary-title"
      className="error-summary"
      ref={box}
      role="alert"
      tabIndex={-1}
    >
      <h2 className="error-summary-title" id="error-summary-title">
        {count === 2 ? t('errorSummary.headingTwo') : t('errorSummary.heading', { count })}
      </h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem.name}>
            <a href={`#${problem.name}`}>{problem.message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
