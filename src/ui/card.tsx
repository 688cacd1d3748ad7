import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** White, hairline, radius 14, padding 32 (20 at 390). */
export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames('card', className)}>{children}</div>;
}

/** White, hairline, radius 18, padding 40: a result. `side` stands beside it, 380 wide, from 900 px on. */
export function Panel({ side, children }: { side?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel">
      <div className="panel-main">{children}</div>
      {side === undefined ? null : <div className="panel-side">{side}</div>}
    </section>
  );
}

export type Fact = { term: ReactNode; value: ReactNode; mono?: boolean; testId?: string };

/** Captions and values, in two columns of pairs (`pairs`) or as rows (`rows`). */
export function Facts({
  facts,
  layout = 'pairs',
}: {
  facts: readonly Fact[];
  layout?: 'pairs' | 'rows';
}) {
  return (
    <dl className={`facts facts-${layout}`}>
      {facts.map((fact, index) => (
        <div key={index}>
          <dt>{fact.term}</dt>
          <dd className={fact.mono ? 'mono' : undefined} data-testid={fact.testId}>
            {fact.mono ? <bdi dir="ltr">{fact.value}</bdi> : fact.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
