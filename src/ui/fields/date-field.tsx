import type { ReactNode } from 'react';
import { useTranslation } from '../texts/texts.tsx';
import { DateCalendar, type CalendarDays } from './date-calendar.tsx';
import { hasError, type FieldText } from './field.tsx';
import { FieldSet } from './field-set.tsx';

export type DateParts = { day?: string; month?: string; year?: string };

const parts = [
  { part: 'day', inputMode: 'numeric', maxLength: 2 },
  // The month takes a number or a name, so it gets the ordinary keyboard.
  { part: 'month', inputMode: 'text', maxLength: 20 },
  { part: 'year', inputMode: 'numeric', maxLength: 4 },
] as const;

/** Three controls, `<name>-day`, `<name>-month` and `<name>-year`; the first carries the `id` of the field. */
export function DateField({
  defaultValue,
  birthday,
  heading,
  disabled,
  calendar,
  className,
  ...text
}: FieldText & {
  defaultValue?: DateParts;
  /** Lets the browser fill in the visitor's own date of birth (`bday-day`, …). */
  birthday?: boolean;
  heading?: 'h1' | 'h2';
  disabled?: boolean;
  /** A day may be chosen from a calendar, too: one that lies ahead, rather than one that a document says. */
  calendar?: CalendarDays;
  className?: string;
}) {
  const { t } = useTranslation('ui');
  return (
    <FieldSet {...text} className={className} heading={heading} width="number">
      <DateParts>
        {parts.map(({ part, inputMode, maxLength }) => {
          const id = part === 'day' ? text.name : `${text.name}-${part}`;
          return (
            <DatePart id={id} key={part} label={t(`date.${part}`)}>
              <input
                aria-invalid={hasError(text.error) || undefined}
                aria-required={text.isRequired}
                autoComplete={birthday ? `bday-${part}` : 'off'}
                autoCorrect="off"
                className="control figures"
                defaultValue={defaultValue?.[part]}
                disabled={disabled}
                id={id}
                inputMode={inputMode}
                maxLength={maxLength}
                name={`${text.name}-${part}`}
                spellCheck={false}
                type="text"
              />
            </DatePart>
          );
        })}
      </DateParts>
      {calendar ? <DateCalendar {...calendar} name={text.name} /> : null}
    </FieldSet>
  );
}

/** Day, month and year side by side. */
export function DateParts({ children }: { children: ReactNode }) {
  return (
    <div className="mt-1.5 flex w-full flex-wrap gap-2.5 *:flex-[1_0_5rem] *:first:flex-[0_0_min(18vw,4.25rem)] *:last:flex-[0_0_min(24vw,5.75rem)] wide:*:first:flex-[0_0_4.75rem] wide:*:last:flex-[0_0_6.25rem]">
      {children}
    </div>
  );
}

/** One control of a date below its name. */
export function DatePart({
  id,
  label,
  children,
}: {
  id: string;
  label: string;
  children: ReactNode;
}) {
  return (
    <div className="[&>.control]:mt-1">
      <label className="block text-caption text-ink-2" htmlFor={id}>
        {label}
      </label>
      {children}
    </div>
  );
}
