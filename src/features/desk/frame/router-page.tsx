import { useMemo, type ReactNode } from 'react';
import { Link, useLocation, useNavigation } from 'react-router';
import { RenderLinkProvider, type LinkProps } from '~/ui/page/link.tsx';
import { pageAt, PageProvider } from '~/ui/page/page-context.tsx';

const DESK = /^\/admin(\/|\?|#|$)|^[?#]/;

/** Within the desk the page goes on without a new document; a visitor's page always is one. */
const renderLink = ({ to, ...rest }: LinkProps) => (
  <Link {...rest} reloadDocument={!DESK.test(to)} to={to} />
);

/** Tells the components that pages share what the client router is doing. */
export function RouterPage({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const { state, formData } = useNavigation();
  const sending = state === 'idle' ? null : (formData ?? NOTHING);
  const page = useMemo(
    () => ({ ...pageAt('', { pathname, search }), sending }),
    [pathname, search, sending],
  );
  return (
    <RenderLinkProvider value={renderLink}>
      <PageProvider value={page}>{children}</PageProvider>
    </RenderLinkProvider>
  );
}

/** A page is being fetched, and nothing is sent. */
const NOTHING = new FormData();
