import type { ReactNode } from 'react';
import { useTranslation } from './texts/texts.tsx';
import { Icon } from './icon.tsx';

type TimelineEvent = {
  title: ReactNode;
  /** When it happened, or what it means. */
  detail: ReactNode;
  state: 'done' | 'now' | 'next' | 'failed';
};

export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  const { t } = useTranslation('ui');
  return (
    <ol className="timeline">
      {events.map((event, index) => (
        <li
          aria-current={event.state === 'now' ? 'step' : undefined}
          className={`timeline-event is-${event.state}`}
          key={index}
        >
          <span className="timeline-dot">
            {event.state === 'done' ? <Icon name="check" size={14} /> : null}
            {event.state === 'failed' ? <Icon name="cross" size={14} /> : null}
          </span>
          <p
            className={
              event.state === 'next'
                ? 'font-medium text-ink-2 print:text-[#000]'
                : 'font-semibold text-ink print:text-[#000]'
            }
          >
            {event.title}
            <span className="sr-only"> ({t(`timeline.${event.state}`)})</span>
          </p>
          {event.detail === '' ? null : <p className="text-hint text-ink-2">{event.detail}</p>}
        </li>
      ))}
    </ol>
  );
}
