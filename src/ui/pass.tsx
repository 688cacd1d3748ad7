import type { ReactNode } from 'react';
import { NumberCode } from './fields/number-code.tsx';
import type { OrderLine } from './order-summary.tsx';

/** Confirmation in the form of a boarding pass: the number at the start, the receipt at the end. */
export function Pass({
  numberLabel,
  number,
  actions,
  lines,
  paid,
  facts = [],
}: {
  numberLabel: ReactNode;
  number: string;
  actions?: ReactNode;
  lines: readonly OrderLine[];
  paid: OrderLine;
  facts?: readonly { term: ReactNode; value: ReactNode; mono?: boolean }[];
}) {
  return (
    <div className="pass wide:grid wide:grid-cols-[minmax(0,1fr)_312px] [.page-head+&]:mt-9">
      <div className="pass-number px-5.5 py-6.25 wide:px-10 wide:py-9">
        <p className="text-small text-ink-2">{numberLabel}</p>
        <p className="*:mt-1">
          <NumberCode size="display" testId="application-number" value={number} />
        </p>
        {actions === undefined ? null : (
          <div className="mt-5 grid gap-3 wide:flex wide:flex-wrap wide:gap-x-5 print:hidden [&_form]:grid">
            {actions}
          </div>
        )}
      </div>
      <div className="pass-receipt px-5.5 pt-8.5 pb-6.25 wide:px-10 wide:py-9">
        <dl className="text-hint">
          {lines.map((line, index) => (
            <div className="flex justify-between gap-4 py-[5.5px]" key={index}>
              <dt className="wrap-anywhere text-ink-2">{line.label}</dt>
              <dd className="figures">{line.amount}</dd>
            </div>
          ))}
          <div className="mt-1.5 flex justify-between gap-4 border-t border-line pt-2.5 pb-[5.5px] font-semibold">
            <dt>{paid.label}</dt>
            <dd className="figures" data-testid="total">
              {paid.amount}
            </dd>
          </div>
        </dl>
        {facts.length === 0 ? null : (
          <dl className="mt-3 grid gap-2.5 text-hint">
            {facts.map((fact, index) => (
              <div key={index}>
                <dt className="text-ink-2">{fact.term}</dt>
                <dd
                  className={
                    fact.mono ? 'mono text-[0.875rem] leading-[1.25rem] wrap-anywhere' : undefined
                  }
                >
                  {fact.mono ? <bdi dir="ltr">{fact.value}</bdi> : fact.value}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}
