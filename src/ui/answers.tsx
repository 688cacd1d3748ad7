import type { ReactNode } from 'react';
import { useTranslation } from './texts/texts.tsx';
import { Link } from './page/link.tsx';
import { classNames } from './class-names.ts';

export type ShownAnswer = {
  term: string;
  value: ReactNode;
  /** Where the answer is changed, with the field's `#name`. */
  change?: string;
  /** Passport number, e-mail, phone, Latin names. */
  latin?: boolean;
  mono?: boolean;
};

/**
 * One group of check-your-answers: a heading over an ink rule, and rows. Where all are changed on one page, its link
 * stands beside the heading; else beside the first row of each page.
 */
export function Answers({ title, answers }: { title: string; answers: readonly ShownAnswer[] }) {
  const pages = answers.map(({ change }) => change?.split('#')[0]);
  const [page] = pages;
  const isOnePage = page !== undefined && pages.every((one) => one === page);
  const hasLink = (row: number) =>
    !isOnePage && pages[row] !== undefined && pages[row] !== pages[row - 1];
  return (
    <section className="mt-2 wide:mt-8">
      <div className="flex items-baseline justify-between gap-x-4">
        <h2 className="text-h3 wide:text-h2-form">{title}</h2>
        {isOnePage ? <ChangeLink of={title} to={answers[0]?.change} /> : null}
      </div>
      <dl className="grid grid-cols-[min(8rem,40%)_minmax(0,1fr)_auto] gap-x-2 border-t border-ink wide:mt-3 wide:gap-x-4 wide:grid-cols-[220px_minmax(0,1fr)_auto]">
        {answers.map((answer, index) => (
          <div
            className="col-span-full grid grid-cols-subgrid items-baseline border-b border-line py-0.5 text-small wide:py-3.25 wide:text-text print:break-inside-avoid"
            key={answer.term}
          >
            <dt className="wrap-anywhere hyphens-auto text-ink-2">{answer.term}</dt>
            <dd
              className={classNames(
                'wrap-anywhere',
                answer.mono && 'mono wide:text-[1rem]',
                !hasLink(index) && 'col-span-2',
              )}
            >
              {answer.latin ? <bdi dir="ltr">{breakable(answer.value)}</bdi> : answer.value}
            </dd>
            {hasLink(index) ? (
              <dd>
                <ChangeLink of={answer.term} to={answer.change} />
              </dd>
            ) : null}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** An email address that is too long for one line breaks before its @, not within a word. */
function breakable(value: ReactNode): ReactNode {
  const [name, domain] = typeof value === 'string' ? value.split('@') : [];
  if (domain === undefined) return value;
  return (
    <>
      {name}
      <wbr />
      {`@${domain}`}
    </>
  );
}

function ChangeLink({ to, of }: { to: string | undefined; of: string }) {
  const { t } = useTranslation('ui');
  if (to === undefined) return null;
  return (
    <Link className="-my-1 inline-block py-1 wide:my-0 wide:py-0" to={to}>
      {t('answers.change')} <span className="sr-only">{of}</span>
    </Link>
  );
}
