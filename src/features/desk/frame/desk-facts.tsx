import type { ReactNode } from 'react';

export type DeskFact = {
  term: string;
  value: ReactNode;
  /** Names, addresses and numbers: left to right in every language. */
  latin?: boolean;
  mono?: boolean;
};

/** A group of facts: terms 124 px wide, values beside them. Facts without a value are left out. */
export function DeskFacts({
  title,
  facts,
  children,
}: {
  title: string;
  facts: readonly (DeskFact | null)[];
  children?: ReactNode;
}) {
  return (
    <section className="desk-facts">
      <h3>{title}</h3>
      <dl>
        {facts.map((fact) =>
          fact ? (
            <div key={fact.term}>
              <dt>{fact.term}</dt>
              <dd className={fact.mono ? 'mono' : undefined}>
                {fact.latin ? <bdi dir="ltr">{fact.value}</bdi> : fact.value}
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {children}
    </section>
  );
}
