import type { ReactNode } from 'react';

/** A section of an article with its heading, separated by a line from the one before. */
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
