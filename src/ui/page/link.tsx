import { createContext, use, type AnchorHTMLAttributes, type ComponentType } from 'react';
import { useHref } from './page-context.tsx';

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** A path of ours without language, a query, or a fragment. */
  to: string;
  /** Where the page goes on without a new document, it stays where it is. */
  preventScrollReset?: boolean;
};

function DocumentLink({ to, preventScrollReset: _, ...rest }: LinkProps) {
  return <a {...rest} href={useHref(to)} />;
}

const LinkContext = createContext<ComponentType<LinkProps>>(DocumentLink);

/** For pages that go on without a new document: the desk's. */
export const LinkProvider = LinkContext.Provider;

/** A page of ours, in the language of this page. */
export function Link(props: LinkProps) {
  const Kind = use(LinkContext);
  return <Kind {...props} />;
}
