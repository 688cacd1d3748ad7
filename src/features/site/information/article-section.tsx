import type { ReactNode } from 'react';

/** A part of an article under its heading, under a rule but for the first. */
export function ArticleSection({
  id,
  title,
  children,
}: {
  id: string;
  title: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      className="prose scroll-mt-6 border-line not-first:mt-9 not-first:border-t not-first:pt-7"
      id={id}
    >
      <h2 className="text-h2-form">{title}</h2>
      {children}
    </section>
  );
}
