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
    <section className="order-summary">
      <h2 className="heading-form">{title}</h2>
      <dl className="order-lines">
        {lines.map((line, index) => (
          <div key={index}>
            <dt>{line.label}</dt>
            <dd className="figures">{line.amount}</dd>
          </div>
        ))}
        <div className="order-total">
          <dt>{total.label}</dt>
          <dd className="amount" data-testid={testId}>
            {total.amount}
          </dd>
        </div>
      </dl>
      {note === undefined ? null : <p className="small mt-4.5 text-ink-2">{note}</p>}
    </section>
  );
}
