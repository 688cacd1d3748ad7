import * as Radix from '@radix-ui/react-toast';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { Icon, type IconName } from './icon.tsx';
import {
  dismissToast,
  removeToast,
  showToast,
  TOAST_DURATION_MS,
  TOAST_HOTKEY,
  TOAST_REMOVE_DELAY_MS,
  TOAST_SWIPE_THRESHOLD_PX,
  type ToastEntry,
} from './toast-queue.ts';

export type ToastContent = {
  title: ReactNode;
  description?: ReactNode;
  /** `error` is announced at once. */
  tone?: 'message' | 'success' | 'error';
  /** Milliseconds; 5000 unless told. */
  duration?: number;
  action?: { label: string; onSelect: () => void };
};

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

const icons: Record<NonNullable<ToastContent['tone']>, IconName> = {
  message: 'info',
  success: 'check',
  error: 'alert',
};

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ToastEntry<ToastContent>[]>([]);
  const nextId = useRef(1);
  const removals = useRef(new Set<ReturnType<typeof setTimeout>>());

  useEffect(() => {
    const timers = removals.current;
    return () => timers.forEach(clearTimeout);
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
  const { pathname } = useLocation();
  const shownOn = useRef(pathname);
  useLayoutEffect(() => {
    if (shownOn.current === pathname) return;
    shownOn.current = pathname;
    setToasts((now) => now.map((toast) => ({ ...toast, open: false })));
  }, [pathname]);

  const calls = useMemo(() => ({ toast, dismiss }), [toast, dismiss]);
  return (
    <ToastContext value={calls}>
      {children}
      <ToastArea dismiss={dismiss} toasts={toasts} />
    </ToastContext>
  );
}

const neverChanges = () => () => undefined;

/** Radix writes style attributes, which the policy of a server-rendered page forbids: browser only. */
function ToastArea({
  toasts,
  dismiss,
}: {
  toasts: readonly ToastEntry<ToastContent>[];
  dismiss: (id: number) => void;
}) {
  const { t, i18n } = useTranslation('ui');
  const inBrowser = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  if (!inBrowser) return null;
  return (
    <Radix.Provider
      label={t('toast.label')}
      // Away from the reading direction's start: right in English, left in Arabic.
      swipeDirection={i18n.dir() === 'rtl' ? 'left' : 'right'}
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
    >
      {toasts.map(({ id, open, content }) => (
        <Radix.Root
          className="toast"
          duration={content.duration ?? TOAST_DURATION_MS}
          key={id}
          onOpenChange={(isOpen) => (isOpen ? undefined : dismiss(id))}
          open={open}
          type={content.tone === 'error' ? 'foreground' : 'background'}
        >
          <Icon name={icons[content.tone ?? 'message']} />
          <div className="toast-text">
            <Radix.Title className="toast-title">{content.title}</Radix.Title>
            {content.description === undefined ? null : (
              <Radix.Description className="toast-description">
                {content.description}
              </Radix.Description>
            )}
          </div>
          {content.action ? (
            <Radix.Action
              altText={content.action.label}
              className="toast-action"
              onClick={content.action.onSelect}
            >
              {content.action.label}
            </Radix.Action>
          ) : (
            <Radix.Close aria-label={t('toast.close')} className="toast-close">
              <Icon name="cross" size={18} />
            </Radix.Close>
          )}
        </Radix.Root>
      ))}
      <Radix.Viewport className="toast-area" hotkey={[TOAST_HOTKEY]} label={t('toast.area')} />
    </Radix.Provider>
  );
}
