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
  const { t, direction } = useTranslation('ui');
  return (
    <Radix.Provider
      label={t('toast.label')}
      // Away from the reading direction's start: right in English, left in Arabic.
      swipeDirection={direction === 'rtl' ? 'left' : 'right'}
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
    >
      {toasts.map(({ id, open, content }) => (
        <Radix.Root
          className="toast pointer-events-auto mx-4 my-2 grid w-[calc(100%-32px)] max-w-105 grid-cols-[20px_minmax(0,1fr)_auto] items-start gap-x-3.5 rounded-[12px] bg-ink px-4.5 py-3.5 text-small text-on-ink shadow-toast border border-ink-line **:focus-visible:outline-ring-on-ink focus-visible:outline-ring-on-ink data-[state=closed]:hidden data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) forced-colors:border-[CanvasText] [&_.icon]:mt-px"
          duration={content.duration ?? TOAST_DURATION_MS}
          key={id}
          onOpenChange={(isOpen) => (isOpen ? undefined : dismiss(id))}
          open={open}
          type={content.tone === 'error' ? 'foreground' : 'background'}
        >
          <Icon name={icons[content.tone ?? 'message']} />
          {/* Title beside the action, description below both. */}
          <div className="contents">
            <Radix.Title className="font-semibold text-cream">
              {content.title}
              {/* Radix says title and description as one text. */}{' '}
            </Radix.Title>
            {content.description === undefined ? null : (
              <Radix.Description className="col-[2/-1] row-2">
                {content.description}
              </Radix.Description>
            )}
          </div>
          {content.action ? (
            <Radix.Action
              altText={content.action.label}
              // 44 px to touch; the negative margin keeps the message as low as its text.
              className="col-3 row-1 -my-2.5 min-h-11 font-semibold text-cream underline decoration-1 underline-offset-(--underline)"
              onClick={content.action.onSelect}
            >
              {content.action.label}
            </Radix.Action>
          ) : (
            <Radix.Close
              aria-label={t('toast.close')}
              // The border is an edge where forced colours take the background away.
              className="col-3 row-1 -m-2.5 grid size-11 place-items-center rounded-button border border-transparent text-cream"
            >
              <Icon name="cross" size={18} />
            </Radix.Close>
          )}
        </Radix.Root>
      ))}
      {/*
       * On a narrow screen a toast stands above the page and moves it down, so that it covers neither the field nor the
       * button it speaks of. The thin ring keeps its edge over the ink footer.
       */}
      <div
        data-toasts
        className="pointer-events-none sticky top-0 z-60 wide:fixed wide:end-0 wide:top-auto wide:bottom-2 wide:w-full wide:max-w-113"
      >
        <Radix.Viewport
          className="pointer-events-none flex flex-col items-end outline-none print:hidden"
          hotkey={[TOAST_HOTKEY]}
          label={t('toast.area')}
        />
      </div>
    </Radix.Provider>
  );
}
