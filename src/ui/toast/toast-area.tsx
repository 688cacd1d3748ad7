import * as Radix from '@radix-ui/react-toast';
import { useTranslation } from '../texts/texts.tsx';
import { Icon, type IconName } from '../icon.tsx';
import {
  TOAST_DURATION_MS,
  TOAST_HOTKEY,
  TOAST_SWIPE_THRESHOLD_PX,
  type ToastEntry,
} from './toast-queue.ts';
import type { ReactNode } from 'react';

export type ToastContent = {
  title: ReactNode;
  description?: ReactNode;
  /** `error` is announced at once. */
  tone?: 'message' | 'success' | 'error';
  /** Milliseconds; 5000 unless told. */
  duration?: number;
  action?: { label: string; onSelect: () => void };
};

const icons: Record<NonNullable<ToastContent['tone']>, IconName> = {
  message: 'info',
  success: 'check',
  error: 'alert',
};

/**
 * What shows toasts. It is fetched on its own, when somebody begins to use the page: Radix is a tenth of all script. It also
 * writes style attributes, which the policy of a server-rendered page forbids.
 */
export function ToastArea({
  toasts,
  dismiss,
}: {
  toasts: readonly ToastEntry<ToastContent>[];
  dismiss: (id: number) => void;
}) {
  const { t, i18n } = useTranslation('ui');
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
            <Radix.Title className="font-semibold text-cream">{content.title}</Radix.Title>
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
      <div className="toast-place">
        <Radix.Viewport className="toast-area" hotkey={[TOAST_HOTKEY]} label={t('toast.area')} />
      </div>
    </Radix.Provider>
  );
}
