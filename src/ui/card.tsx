import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** White, hairline, radius 14, padding 32 (20 at 390). */
export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={classNames('rounded-card border border-line-2 bg-paper p-5 wide:p-8', className)}
    >
      {children}
    </div>
  );
}

/** White, hairline, radius 18, padding 40: a result. `side` stands beside it, 380 wide, from 900 px on. */
export function Panel({ side, children }: { side?: ReactNode; children: ReactNode }) {
  return (
    <section
      className={classNames(
        'panel overflow-hidden rounded-panel border border-line bg-paper wide:grid',
        side === undefined ? 'wide:grid-cols-1' : 'wide:grid-cols-[minmax(0,1fr)_380px]',
      )}
    >
      <div className="panel-main px-5.5 py-7 wide:p-10 [&>dl]:mt-6 [&>dl]:border-t [&>dl]:border-line [&>dl]:pt-2.5 wide:[&>dl]:mt-7 wide:[&>dl]:pt-6.5">
        {children}
      </div>
      {side === undefined ? null : (
        <div className="panel-side border-t border-line bg-[color-mix(in_srgb,var(--color-travertine)_60%,var(--color-paper))] px-5.5 py-7 wide:border-s wide:border-t-0 wide:p-10 [&_h3]:mb-5.25">
          {side}
        </div>
      )}
    </section>
  );
}

export type CardFact = { term: ReactNode; value: ReactNode; mono?: boolean; testId?: string };

/** Captions and values, in two columns of pairs (`pairs`) or as rows (`rows`). */
export function Facts({
  facts,
  layout = 'pairs',
}: {
  facts: readonly CardFact[];
  layout?: 'pairs' | 'rows';
}) {
  return (
    <dl
      className={
        layout === 'rows'
          ? undefined
          : 'facts-pairs wide:grid wide:grid-cols-2 wide:gap-x-7.5 wide:gap-y-5.5'
      }
    >
      {facts.map((fact, index) => (
        <div
          className={classNames(
            'group flex items-baseline justify-between gap-4 border-b border-line py-2.25 last:border-b-0',
            // A number that does not fit beside the longest word of its label stands below it.
            'has-[.number-code,.mono]:flex-wrap has-[.number-code,.mono]:gap-y-1',
            layout === 'pairs' && 'wide:block wide:border-0 wide:p-0',
          )}
          key={index}
        >
          {/*
           * A label of two short words stays in one line beside a long value; a long one breaks. A number is read in
           * one line: its label gives way.
           */}
          <dt
            className={classNames(
              'max-w-[45%] flex-none text-caption text-ink-2 group-has-[.number-code,.mono]:flex-[1_1_min-content]',
              layout === 'pairs' && 'wide:max-w-none',
            )}
          >
            {fact.term}
          </dt>
          <dd
            className={classNames(
              'ms-auto text-end font-medium wrap-anywhere has-[.number-code]:flex-none [&_.mono]:text-[1rem]',
              layout === 'pairs' && 'wide:ms-0 wide:mt-0.5 wide:text-start',
              fact.mono && 'mono flex-none text-[1rem]',
            )}
            data-testid={fact.testId}
          >
            {fact.mono ? <bdi dir="ltr">{fact.value}</bdi> : fact.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
