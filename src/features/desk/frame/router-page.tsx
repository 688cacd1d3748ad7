import { useMemo, type MouseEvent, type ReactNode } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { RenderLinkProvider, type LinkProps } from '~/ui/page/link.tsx';
import { pageAt, PageProvider } from '~/ui/page/page-context.tsx';

const DESK = /^\/admin(\/|\?|#|$)|^[?#]/;

/** Tells the components that pages share what the client router is doing. */
export function RouterPage({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const { state, formData } = useNavigation();
  const navigate = useNavigate();
  const sending = state === 'idle' ? null : (formData ?? NOTHING);
  const page = useMemo(
    () => ({ ...pageAt('', { pathname, search }), sending }),
    [pathname, search, sending],
  );
  const renderLink = useMemo(() => linkRenderer(navigate), [navigate]);
  return (
    <RenderLinkProvider value={renderLink}>
      <PageProvider value={page}>{children}</PageProvider>
    </RenderLinkProvider>
  );
}

/**
 * Within the desk the page goes on without a new document; a visitor's page always is one. The router's own `Link` resolves
 * addresses that are whole already: the two dozen of the queue took a twelfth of its page.
 */
const linkRenderer = (navigate: ReturnType<typeof useNavigate>) =>
  function renderLink({ to, onClick, preventScrollReset, children, ...rest }: LinkProps) {
    function follow(event: MouseEvent<HTMLAnchorElement>) {
      onClick?.(event);
      const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
      event.preventDefault();
      const replace = event.currentTarget.href === location.href;
      void navigate(to, { preventScrollReset, replace });
    }
    const goesOn = rest.target === undefined && DESK.test(to);
    return (
      <a {...rest} href={to} onClick={goesOn ? follow : onClick}>
        {children}
      </a>
    );
  };

/** A page is being fetched, and nothing is sent. */
const NOTHING = new FormData();
