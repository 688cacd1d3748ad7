import type { ReactNode } from 'react';
import { classNames } from '~/ui/class-names.ts';

/** The frame of staff pages: denser type (14/20), a white header, the content and a panel at the end. */
export function DeskFrame({
  brand,
  nav,
  search,
  person,
  panel,
  panelLabel,
  children,
}: {
  brand: ReactNode;
  nav?: ReactNode;
  search?: ReactNode;
  person?: ReactNode;
  panel?: ReactNode;
  panelLabel: string;
  children: ReactNode;
}) {
  return (
    <div className="desk">
      <header
        className={classNames(
          'flex min-h-14 flex-wrap items-center gap-x-7 border-b border-line px-(--gutter) max-wide:gap-x-3 max-wide:py-2',
          // The links stand in one row below the header's other parts, and wrap.
          nav === undefined
            ? 'wide:flex-nowrap'
            : 'wide:max-[112.5rem]:pt-2 min-[112.5rem]:flex-nowrap',
        )}
      >
        <div className="flex items-center gap-3">{brand}</div>
        {nav === undefined ? null : (
          <div className="flex self-stretch max-wide:order-1 max-wide:my-2 wide:max-[68.75rem]:-mx-2 min-[68.75rem]:max-[112.5rem]:-mx-3 wide:max-[112.5rem]:order-2 wide:max-[112.5rem]:flex-[1_0_100%] print:hidden">
            {nav}
          </div>
        )}
        {search === undefined ? null : (
          <div className="ms-auto max-w-[300px] flex-[1_1_240px] max-wide:order-1 max-wide:my-2 max-wide:max-w-none max-wide:basis-40 print:hidden">
            {search}
          </div>
        )}
        {person === undefined ? null : (
          <div
            className={classNames(
              'flex items-center gap-4 text-fine/4.5 max-wide:gap-3 wide:max-[112.5rem]:order-1 print:hidden [&_:is(a,button)]:whitespace-nowrap',
              search === undefined && 'ms-auto',
            )}
          >
            {person}
          </div>
        )}
      </header>
      <div
        className={classNames(
          'wide:grid wide:min-h-[calc(100vh-var(--desk-header-size)-var(--desk-messages-size))]',
          panel === undefined
            ? 'wide:grid-cols-1'
            : 'wide:grid-cols-[minmax(0,1fr)_376px] wide:has-[#message]:grid-cols-[minmax(0,1fr)_minmax(376px,540px)]',
        )}
      >
        {/* A container, because with the panel open the list's width is not that of the screen. */}
        <main
          className="@container/desk-main min-w-0 px-(--gutter) pt-5 pb-10 outline-none"
          id="main"
          tabIndex={-1}
        >
          {children}
        </main>
        {panel === undefined ? null : (
          <aside aria-label={panelLabel} className="border-line max-wide:border-t-4 wide:border-s">
            {panel}
          </aside>
        )}
      </div>
    </div>
  );
}

export type StatCell = { label: ReactNode; figure: ReactNode; note?: ReactNode; urgent?: boolean };

/** Four cards in one frame, with hairlines between them. */
export function StatCards({ cells }: { cells: readonly StatCell[] }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line-2 bg-line *:bg-paper *:px-4 *:py-3.5 @min-[37.5rem]/desk-main:grid-cols-4">
      {cells.map((cell, index) => (
        <div key={index}>
          <dt className="text-fine text-ink-2">{cell.label}</dt>
          <dd className="text-[1.3125rem]/7 font-semibold">{cell.figure}</dd>
          {cell.note === undefined ? null : (
            <dd
              className={
                cell.urgent ? 'text-fine font-semibold text-amber' : 'text-fine text-ink-2'
              }
            >
              {cell.note}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
