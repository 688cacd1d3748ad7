import type { ReactNode } from 'react';

/** Brass string through the ring of the luggage tag. */
function TagString() {
  return (
    <svg aria-hidden="true" className="tag-string" height="92" viewBox="0 0 40 92" width="40">
      <path d="M20 75C17 66 4.500 46 4.500 25 4.500 10 10.500 2 20 2s15.500 7 15.500 18.500C35.500 42 23 63 20 75" />
      <path d="M18 66q1.200 5 2 9 1-4.500 2.600-9" />
      <circle cx="20" cy="77" r="11" />
    </svg>
  );
}

// Widths of bars and of the gaps between them. An ornament: it encodes nothing.
const bars = '621112133133213213134213331142331213213141123313133142';
const gaps = '2222232232322232223223';

/** Ornamental bars at the foot of the tag. */
function Barcode() {
  let x = 0;
  let path = '';
  Array.from(bars, Number).forEach((bar, index) => {
    path += `M${x} 0h${bar}v34h-${bar}z`;
    x += bar + Number(gaps[index % gaps.length]);
  });
  return (
    <svg
      aria-hidden="true"
      className="barcode"
      height="34"
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${x - 2} 34`}
    >
      <path d={path} />
    </svg>
  );
}

const code = 'block font-mono text-[2.75rem] leading-[3rem] font-medium tracking-[-0.01em]';

export type TagFact = { term: ReactNode; value: ReactNode };

/** The transaction so far, as a luggage tag: where from and to, what was chosen, what it comes to. */
export function LuggageTag({
  from,
  to,
  facts,
  total,
  numberPrefix,
  label,
  marksTotal = true,
}: {
  /** Three letters and a caption each. Without a code yet, three dots stand in. */
  from: { code?: string; label: ReactNode };
  to: { code: string; label: ReactNode };
  facts: readonly TagFact[];
  /** `note`: what the total was before, where it has just changed. */
  total: { label: ReactNode; amount: ReactNode; note?: ReactNode };
  /** Of the number that the transaction will get; dots stand in for the rest. */
  numberPrefix: string;
  /** Accessible name of the whole tag. */
  label: string;
  /** Whether this is the page's total; not where an order summary says it. */
  marksTotal?: boolean;
}) {
  return (
    <aside aria-label={label} className="tag">
      <TagString />
      <div className="tag-paper">
        <div className="tag-top">
          <div className="flex flex-wrap items-start justify-between gap-x-2" dir="ltr">
            <div>
              <span aria-hidden={from.code === undefined || undefined} className={code}>
                {from.code ?? '···'}
              </span>
              <span className="block text-micro text-ink-2" dir="auto">
                {from.label}
              </span>
            </div>
            <svg
              aria-hidden="true"
              className="mt-4.75 flex-none fill-none stroke-brass"
              height="14"
              strokeLinecap="round"
              strokeLinejoin="round"
              strokeWidth="1.6"
              viewBox="0 0 28 14"
              width="28"
            >
              <path d="M1 7h26M20.500 1l6.500 6-6.500 6" />
            </svg>
            <div className="text-right">
              <span className={code}>{to.code}</span>
              <span className="block text-micro text-ink-2" dir="auto">
                {to.label}
              </span>
            </div>
          </div>
          <dl className="@container mt-5 text-[0.9375rem] leading-[1.375rem]">
            {facts.map((fact, index) => (
              <div
                className="flex justify-between gap-x-4 border-t border-line py-2 @max-[13rem]:flex-wrap"
                key={index}
              >
                <dt className="text-ink-2">{fact.term}</dt>
                <dd className="text-end font-medium">{fact.value}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="tag-stub @container">
          <p className="flex items-baseline justify-between gap-x-4 @max-[13rem]:flex-wrap">
            <span>{total.label}</span>
            <span className="amount" data-testid={marksTotal ? 'total' : undefined}>
              {total.amount}
            </span>
          </p>
          {total.note ? (
            <p className="total-note text-micro text-amber-notice">{total.note}</p>
          ) : null}
          <p
            className="mt-0.5 font-mono text-[0.9375rem] leading-[1.5rem] font-medium rtl:text-right"
            dir="ltr"
          >
            <span aria-hidden className="number-code">
              <span>{numberPrefix}</span>
              <span>····</span>
              <span>····</span>
              <span>····</span>
              <span>·</span>
            </span>
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
    <p className="mt-6 flex flex-wrap items-baseline justify-between gap-x-4 border-y border-line-2 py-3 text-small wide:hidden max-wide:[&+.form-actions]:mt-6">
      <span>
        {label}
        {note ? (
          <span className="total-note block text-micro text-amber-notice"> {note}</span>
        ) : null}
      </span>
      <span className="amount ms-auto text-[1.375rem] leading-[1.75rem]">{amount}</span>
    </p>
  );
}
