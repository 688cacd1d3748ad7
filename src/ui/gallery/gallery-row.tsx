import type { ReactNode } from 'react';

export function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-7 grid gap-4 border-t border-line-2 py-7 wide:grid-cols-[200px_minmax(0,840px)] wide:gap-8">
      <h2 className="text-h2-form">{title}</h2>
      <div className="grid grid-cols-1 gap-6">{children}</div>
    </section>
  );
}
