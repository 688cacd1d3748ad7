import type { ReactNode } from 'react';
import { NumberCode } from '../fields/number-code.tsx';
import type { OrderLine } from '../order-summary.tsx';

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
    <div className="pass">
      <div className="pass-number">
        <p className="small text-ink-2">{numberLabel}</p>
        <p>
          <NumberCode size="display" testId="application-number" value={number} />
        </p>
        {actions === undefined ? null : <div className="pass-actions">{actions}</div>}
      </div>
      <div className="pass-receipt">
        <dl className="pass-lines">
          {lines.map((line, index) => (
            <div key={index}>
              <dt>{line.label}</dt>
              <dd className="figures">{line.amount}</dd>
            </div>
          ))}
          <div className="pass-paid">
            <dt>{paid.label}</dt>
            <dd className="figures" data-testid="total">
              {paid.amount}
            </dd>
          </div>
        </dl>
        {facts.length === 0 ? null : (
          <dl className="pass-facts">
            {facts.map((fact, index) => (
              <div key={index}>
                <dt>{fact.term}</dt>
                <dd className={fact.mono ? 'mono' : undefined}>
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
