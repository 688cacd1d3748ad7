import type { ComponentProps, ReactNode } from 'react';

/** A list of `PathLink`s. */
export const PathList = ({ children }: { children: ReactNode }) => (
  <ul className="mt-4 grid grid-cols-1 gap-x-8 *:border-b *:border-line wide:grid-cols-2">
    {children}
  </ul>
);

/** A page's name, linked, with its path beside it. */
export const PathLink = ({
  path,
  children,
  ...rest
}: { path: string } & Omit<ComponentProps<'a'>, 'className'>) => (
  <a
    {...rest}
    className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-0.5 py-2 no-underline current:font-semibold current:text-ink"
  >
    <span className={rest['aria-current'] ? undefined : 'underline'}>{children}</span>
    <bdi className="mono text-[0.875rem] text-ink-2" dir="ltr">
      {path}
    </bdi>
  </a>
);

/** A raw response. */
export const Raw = ({ children }: { children: ReactNode }) => (
  <pre
    className="mt-4 rounded-field border border-line-2 bg-paper px-[18px] py-4 font-mono text-[0.875rem]/5.5 wrap-anywhere whitespace-pre-wrap"
    data-testid="raw"
    dir="ltr"
  >
    {children}
  </pre>
);
