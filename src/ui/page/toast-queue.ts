/** The customer's specification: one toast at a time, for 5 seconds, forgotten long after it was closed. */
const TOAST_LIMIT = 1;
export const TOAST_DURATION_MS = 5000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_SWIPE_THRESHOLD_PX = 50;
export const TOAST_HOTKEY = 'F8';

export type ToastEntry<Content> = { id: number; open: boolean; content: Content };

/** The newest comes first; those beyond the limit are dropped. */
export function showToast<Content>(
  toasts: readonly ToastEntry<Content>[],
  toast: ToastEntry<Content>,
): ToastEntry<Content>[] {
  return [toast, ...toasts].slice(0, TOAST_LIMIT);
}

/** Closed, but kept until it is removed: it may still be leaving the screen. */
export function dismissToast<Content>(
  toasts: readonly ToastEntry<Content>[],
  id: number,
): ToastEntry<Content>[] {
  return toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast));
}

export function removeToast<Content>(
  toasts: readonly ToastEntry<Content>[],
  id: number,
): ToastEntry<Content>[] {
  return toasts.filter((toast) => toast.id !== id);
}
