import type { ReactNode } from 'react';

export type OrderLine = { label: ReactNode; amount: ReactNode };

/** What is paid for, line by line. `testId` marks the total where no luggage tag on the page does. */
export function OrderSummary({
  title,
  lines,
  total,
  note,
  testId,
}: {
  title: ReactNode;
  lines: readonly OrderLine[];
  total: OrderLine;
  note?: ReactNode;
  testId?: string;
}) {
  return (
    <section className="order-summary mt-3 rounded-card border border-line-2 bg-paper px-5 py-2 wide:mt-9 wide:px-8 wide:py-7">
      <h2 className="text-h3 wide:text-h2-form">{title}</h2>
      <dl className="mt-1 wide:mt-2.5">
        {lines.map((line, index) => (
          <div
            className="flex items-baseline justify-between gap-4 py-0.75 max-wide:text-small wide:py-2.5"
            key={index}
          >
            <dt className="wrap-anywhere">{line.label}</dt>
            <dd className="figures">{line.amount}</dd>
          </div>
        ))}
        <div className="mt-1 flex flex-wrap items-baseline justify-between gap-4 border-t border-ink pt-1.5 font-semibold wide:mt-2 wide:pt-3.5 wide:pb-1">
          <dt>{total.label}</dt>
          <dd className="amount ms-auto text-[1.875rem] leading-[2.25rem]" data-testid={testId}>
            {total.amount}
          </dd>
        </div>
      </dl>
      {note === undefined ? null : (
        <p className="mt-1.5 text-micro text-ink-2 wide:mt-4.5 wide:text-small">{note}</p>
      )}
    </section>
  );
}
