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
