import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type StatusTone = 'green' | 'amber' | 'red' | 'blue' | 'neutral';

const colors: Record<StatusTone, string> = {
  green: 'bg-green-ground text-green',
  amber: 'bg-amber-ground text-amber',
  red: 'bg-red-ground text-red',
  blue: 'bg-blue-ground text-blue',
  neutral: 'bg-neutral-ground text-neutral',
};

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
    <span className={`status-tag ${colors[tone]}`} data-testid={testId}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </span>
  );
}
