import {
  createContext,
  useCallback,
  Suspense,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { lazyPart } from './lazy-part.tsx';
import { usePage } from './page-context.tsx';
import type { ToastContent } from './toast-area.tsx';
import {
  dismissToast,
  removeToast,
  showToast,
  TOAST_REMOVE_DELAY_MS,
  type ToastEntry,
} from './toast-queue.ts';

type ToastCalls = {
  /** Shows a toast in place of any other and answers its id. */
  toast: (content: ToastContent) => number;
  dismiss: (id: number) => void;
};

const ToastContext = createContext<ToastCalls>({ toast: () => 0, dismiss: () => undefined });

/** Does nothing outside a `ToastProvider` and on pages without scripts. */
export function useToast(): ToastCalls {
  return useContext(ToastContext);
}

const fetchArea = async () => (await import('./toast-area.tsx')).ToastArea;
const ToastArea = lazyPart(fetchArea);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ToastEntry<ToastContent>[]>([]);
  const nextId = useRef(1);
  const removals = useRef(new Set<ReturnType<typeof setTimeout>>());

  useEffect(() => {
    const timers = removals.current;
    return () => timers.forEach(clearTimeout);
  }, []);

  // Before anything can go wrong: a toast may have to say that the connection is lost.
  useEffect(() => {
    const begin = () => void fetchArea().catch(() => undefined);
    const once = { once: true, passive: true };
    addEventListener('pointerdown', begin, once);
    addEventListener('keydown', begin, once);
    return () => {
      removeEventListener('pointerdown', begin);
      removeEventListener('keydown', begin);
    };
  }, []);

  const dismiss = useCallback((id: number) => {
    setToasts((now) => dismissToast(now, id));
    const timer = setTimeout(() => {
      removals.current.delete(timer);
      setToasts((now) => removeToast(now, id));
    }, TOAST_REMOVE_DELAY_MS);
    removals.current.add(timer);
  }, []);

  const toast = useCallback((content: ToastContent) => {
    const id = nextId.current++;
    setToasts((now) => showToast(now, { id, open: true, content }));
    return id;
  }, []);

  // A message belongs to the page it came up on. Layout effects run before what the next page says on arrival.
  const { pathname } = usePage().address;
  const shownOn = useRef(pathname);
  useLayoutEffect(() => {
    if (shownOn.current === pathname) return;
    shownOn.current = pathname;
    setToasts((now) => now.map((toast) => ({ ...toast, open: false })));
  }, [pathname]);

  const calls = useMemo(() => ({ toast, dismiss }), [toast, dismiss]);
  return (
    <ToastContext value={calls}>
      {toasts.length === 0
        ? null
        : inFront(
            <Suspense fallback={null}>
              <ToastArea dismiss={dismiss} toasts={toasts} />
            </Suspense>,
          )}
      {children}
    </ToastContext>
  );
}

/** Id of the element in front of a page whose scripts run in its content alone. */
export const TOASTS_ID = 'toasts';

/** In front of the page: on a narrow screen a toast takes room of its own there and covers nothing. */
function inFront(area: ReactNode): ReactNode {
  const place = document.getElementById(TOASTS_ID);
  return place ? createPortal(area, place) : area;
}
