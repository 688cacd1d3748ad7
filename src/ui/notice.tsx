import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

export type NoticeTone = 'green' | 'blue' | 'amber' | 'red';

const icons: Record<NoticeTone, IconName> = {
  green: 'check',
  blue: 'info',
  amber: 'alert',
  red: 'cross',
};

const colors: Record<NoticeTone, string> = {
  green: 'bg-green-ground text-green-notice',
  blue: 'bg-blue-ground text-blue-notice',
  amber: 'bg-amber-ground text-amber-notice',
  red: 'bg-red-ground text-red-notice',
};

/** A coloured ground, an icon, an optional bold first line, and what it means. */
export function Notice({
  tone,
  title,
  icon = icons[tone],
  role,
  heading: Title = 'p',
  headingId,
  className,
  children,
}: {
  tone: NoticeTone;
  title?: ReactNode;
  icon?: IconName;
  /** `status` or `alert` where it appears without a new page. */
  role?: 'status' | 'alert';
  /** Where the title begins a part of the page. */
  heading?: 'h2' | 'h3' | 'p';
  headingId?: string;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <div className={classNames('notice', colors[tone], className)} role={role}>
      <Icon name={icon} />
      <div>
        {title === undefined ? null : (
          <Title className="notice-title" id={headingId}>
            {title}
          </Title>
        )}
        {children}
      </div>
    </div>
  );
}
