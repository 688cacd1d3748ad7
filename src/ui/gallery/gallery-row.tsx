import type { ReactNode } from 'react';

export function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="gallery-row">
      <h2 className="heading-form">{title}</h2>
      <div className="grid grid-cols-1 gap-6">{children}</div>
    </section>
  );
}
