import type { ReactNode } from 'react';

/** Staff pages: denser type (14/20), a white header, the work at the start and a panel at the end. */
export function DeskFrame({
  brand,
  nav,
  search,
  person,
  panel,
  children,
}: {
  brand: ReactNode;
  nav?: ReactNode;
  search?: ReactNode;
  person?: ReactNode;
  panel?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="desk">
      <header className="desk-header">
        <div className="flex items-center gap-3">{brand}</div>
        {nav === undefined ? null : <div className="desk-nav">{nav}</div>}
        {search === undefined ? null : <div className="desk-search">{search}</div>}
        {person === undefined ? null : <div className="desk-person">{person}</div>}
      </header>
      <div className="desk-columns">
        <main className="desk-main" id="main">
          {children}
        </main>
        {panel === undefined ? null : <aside className="desk-panel">{panel}</aside>}
      </div>
    </div>
  );
}

export type StatCell = { label: ReactNode; figure: ReactNode; note?: ReactNode; urgent?: boolean };

/** One frame, four cells, hairlines between. */
export function StatCards({ cells }: { cells: readonly StatCell[] }) {
  return (
    <dl className="stat-cards">
      {cells.map((cell, index) => (
        <div key={index}>
          <dt>{cell.label}</dt>
          <dd className="stat-figure figures">{cell.figure}</dd>
          {cell.note === undefined ? null : (
            <dd className={cell.urgent ? 'stat-note is-urgent' : 'stat-note'}>{cell.note}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}
