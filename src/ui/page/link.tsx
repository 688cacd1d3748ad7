import { createContext, use, type AnchorHTMLAttributes, type ReactNode } from 'react';
import { useHref } from './page-context.tsx';

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** A path of ours without language, a query, or a fragment. */
  to: string;
  /** Where the page goes on without a new document, it stays where it is. */
  preventScrollReset?: boolean;
};

const RenderLinkContext = createContext<((props: LinkProps) => ReactNode) | null>(null);

/** For pages that go on without a new document, the desk's: draws their links. */
export const RenderLinkProvider = RenderLinkContext.Provider;

/** A page of ours, in the language of this page. */
export function Link(props: LinkProps) {
  const renderLink = use(RenderLinkContext);
  const { to, preventScrollReset: _, children, ...rest } = props;
  const href = useHref(to);
  if (renderLink) return renderLink(props);
  return (
    <a {...rest} href={href}>
      {children}
    </a>
  );
}
