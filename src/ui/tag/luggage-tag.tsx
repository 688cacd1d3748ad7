import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Barcode, TagString } from './tag-ornament.tsx';
import { NumberCode } from '../fields/number-code.tsx';

export type TagFact = { term: ReactNode; value: ReactNode };

/** The transaction so far, as a luggage tag: where from and to, what was chosen, what it comes to. */
export function LuggageTag({
  from,
  to,
  facts,
  total,
  numberLabel,
  number,
  numberPrefix = '',
  label,
  className,
  marksTotal = true,
}: {
  /** Three letters and a caption each. Without a code yet, three dots stand in. */
  from: { code?: string; label: ReactNode };
  to: { code: string; label: ReactNode };
  facts: readonly TagFact[];
  /** `note`: what the total was before, where it has just changed. */
  total: { label: ReactNode; amount: ReactNode; note?: ReactNode };
  numberLabel: ReactNode;
  /** Until it is given, dots after `numberPrefix`. */
  number?: string;
  numberPrefix?: string;
  /** Accessible name of the whole tag. */
  label: string;
  className?: string;
  /** Whether this is the page's total; not where an order summary says it. */
  marksTotal?: boolean;
}) {
  return (
    <aside aria-label={label} className={classNames('tag', className)}>
      <TagString />
      <div className="tag-paper">
        <div className="tag-top">
          <div className="tag-codes" dir="ltr">
            <div>
              <span className="tag-code">{from.code ?? '···'}</span>
              <span className="tag-caption" dir="auto">
                {from.label}
              </span>
            </div>
            <svg
              aria-hidden="true"
              className="tag-arrow"
              height="14"
              viewBox="0 0 28 14"
              width="28"
            >
              <path d="M1 7h26M20.500 1l6.500 6-6.500 6" />
            </svg>
            <div>
              <span className="tag-code">{to.code}</span>
              <span className="tag-caption" dir="auto">
                {to.label}
              </span>
            </div>
          </div>
          <dl className="tag-facts">
            {facts.map((fact, index) => (
              <div key={index}>
                <dt>{fact.term}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="tag-stub">
          <p className="tag-total">
            <span>{total.label}</span>
            <span className="amount" data-testid={marksTotal ? 'total' : undefined}>
              {total.amount}
            </span>
          </p>
          {total.note ? <p className="total-note">{total.note}</p> : null}
          <p className="micro mt-3.75 text-ink-2">{numberLabel}</p>
          <p className="tag-number" dir="ltr">
            {number === undefined ? (
              <span className="number-code">
                <span>{numberPrefix}</span>
                <span aria-hidden="true">····</span>
                <span aria-hidden="true">····</span>
                <span aria-hidden="true">····</span>
                <span aria-hidden="true">·</span>
              </span>
            ) : (
              <NumberCode value={number} />
            )}
          </p>
          <Barcode />
        </div>
      </div>
    </aside>
  );
}

/** At 390 px the tag comes after the buttons; this line above them says the total first. */
export function OneLineTotal({
  label,
  amount,
  note,
}: {
  label: ReactNode;
  amount: ReactNode;
  /** What it was before, where it has just changed. */
  note?: ReactNode;
}) {
  return (
    <p className="one-line-total">
      <span>
        {label}
        {note ? <span className="total-note"> {note}</span> : null}
      </span>
      <span className="amount">{amount}</span>
    </p>
  );
}
