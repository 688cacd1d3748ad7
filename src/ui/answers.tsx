import type { ReactNode } from 'react';
import { useTranslation } from './texts/texts.tsx';
import { Link } from './page/link.tsx';
import { classNames } from './class-names.ts';

export type Answer = {
  term: string;
  value: ReactNode;
  /** Where the answer is changed, with the field's `#name`. */
  change?: string;
  /** Passport number, e-mail, phone, Latin names. */
  latin?: boolean;
  mono?: boolean;
};

/** One group of check-your-answers: a heading over an ink rule, and rows with a Change link each. */
export function Answers({ title, answers }: { title: ReactNode; answers: readonly Answer[] }) {
  const { t } = useTranslation('ui');
  return (
    <section className="mt-8">
      <h2 className="text-h2-form">{title}</h2>
      <dl className="mt-3 border-t border-ink">
        {answers.map((answer) => (
          <div
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line py-2.5 wide:grid-cols-[220px_minmax(0,1fr)_auto] wide:items-baseline wide:py-3.25 print:break-inside-avoid"
            key={answer.term}
          >
            <dt className="text-small text-ink-2 wide:text-text">{answer.term}</dt>
            <dd
              className={classNames(
                'col-start-1 wrap-anywhere wide:col-start-2',
                answer.mono && 'mono text-[1rem]',
              )}
            >
              {answer.latin ? <bdi dir="ltr">{answer.value}</bdi> : answer.value}
            </dd>
            {answer.change === undefined ? null : (
              <dd className="col-2 row-[1/span_2] wide:col-3 wide:row-1">
                <Link className="inline-block py-2.25 wide:py-0" to={answer.change}>
                  {t('answers.change')} <span className="sr-only">{answer.term}</span>
                </Link>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}
