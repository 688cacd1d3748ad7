import { useRef } from 'react';
import { useTranslation } from '../texts/texts.tsx';
import { Button } from '../button.tsx';
import { useInBrowser } from '../scripts-input.tsx';

const canOpen = () => 'showPicker' in HTMLInputElement.prototype;

/**
 * The days that the calendar offers, YYYY-MM-DD, both included. A typed date may be another and is checked as usual.
 */
export type CalendarDays = {
  min?: string;
  max?: string;
  /** Also chosen by a button of its own: for days that are today more often than not. */
  today?: string;
};

/**
 * Opens the browser's own calendar, in the visitor's language, and writes the chosen day into the typed parts of a
 * date. Not shown without scripts, nor where a browser cannot open one.
 */
export function DateCalendar({ name, min, max, today }: CalendarDays & { name: string }) {
  const { t } = useTranslation('ui');
  const calendar = useRef<HTMLInputElement>(null);
  // Drawn on the server as well, so that nothing moves once scripts run; CSS hides it from those who have none.
  if (!useInBrowser(canOpen, true)) return null;

  const parts = () =>
    [name, `${name}-month`, `${name}-year`].flatMap((id) => {
      const control = document.getElementById(id);
      return control instanceof HTMLInputElement ? [control] : [];
    });

  function open() {
    const input = calendar.current;
    if (!input) return;
    const [day = '', month = '', year = ''] = parts().map(({ value }) => value.trim());
    // With a month by name the value is invalid, and the calendar opens at today.
    input.value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    input.showPicker();
  }

  function choose(chosen: string) {
    const [year = '', month = '', day = ''] = chosen.split('-');
    if (day === '') return;
    const texts = [day, month, year].map((part) => String(Number(part)));
    for (const [index, control] of parts().entries()) write(control, texts[index] ?? '');
  }

  return (
    <p className="relative mt-1 flex flex-wrap gap-x-4 noscript:hidden">
      <Button className="-ms-1 px-1!" icon="calendar" look="plain" onClick={open} type="button">
        {t('date.calendar')}
      </Button>
      {today === undefined ? null : (
        <Button className="px-1!" look="plain" onClick={() => choose(today)} type="button">
          {t('date.today')}
        </Button>
      )}
      <input
        aria-hidden
        className="pointer-events-none absolute start-0 bottom-0 h-px w-px opacity-0"
        max={max}
        min={min}
        onChange={(event) => choose(event.target.value)}
        ref={calendar}
        tabIndex={-1}
        type="date"
      />
    </p>
  );
}

/** Sets a value as typing does: React ignores one that is set by the element's own property. */
function write(control: HTMLInputElement, value: string): void {
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  setter?.call(control, value);
  control.dispatchEvent(new Event('input', { bubbles: true }));
}
