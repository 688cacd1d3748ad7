import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type StatusTone = 'green' | 'amber' | 'red' | 'blue' | 'neutral';

/** One adjective on a pale ground. */
export function StatusTag({
  tone,
  icon,
  testId,
  children,
}: {
  tone: StatusTone;
  icon?: IconName;
  /** `status` for the status of the application that the page is about. */
  testId?: string;
  children: ReactNode;
}) {
  return (
    <span className={`status-tag status-${tone}`} data-testid={testId}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </span>
  );
}
