import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
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
    <section className="answers">
      <h2 className="heading-form">{title}</h2>
      <dl>
        {answers.map((answer) => (
          <div className="answer" key={answer.term}>
            <dt>{answer.term}</dt>
            <dd className={classNames('answer-value', answer.mono && 'mono')}>
              {answer.latin ? <bdi dir="ltr">{answer.value}</bdi> : answer.value}
            </dd>
            {answer.change === undefined ? null : (
              <dd className="answer-change">
                <Link to={answer.change}>
                  {t('answers.change')} <span className="visually-hidden">{answer.term}</span>
                </Link>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}
