import { useMemo, type MouseEvent, type ReactNode } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { RenderLinkProvider, type LinkProps } from '~/ui/page/link.tsx';
import { pageAt, PageProvider } from '~/ui/page/page-context.tsx';

const DESK = /^\/admin(\/|\?|#|$)|^[?#]/;

/** Tells shared components what the client router is doing. */
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
 * Within the desk the router navigates; visitors' pages always load a document. Not the router's own `Link`, which
 * resolves addresses that are complete already: for the two dozen of the queue that took a twelfth of the page's
 * rendering.
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

/** Form data of a navigation without a submit. */
const NOTHING = new FormData();
