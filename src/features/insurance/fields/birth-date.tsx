import { useTranslation } from '~/ui/texts/texts.tsx';
import { calendarWords } from '~/base/dates/calendar-words.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';
import { hasError } from '~/ui/fields/field.tsx';
import { DatePart, DateParts, type DateParts as TypedDate } from '~/ui/fields/date-field.tsx';

/** Years in the selector; typing accepts older ones (product decision). */
const YEARS_OFFERED = 80;

/** A date of birth in three selectors that can also be typed into: day, name or number of the month, year. */
export function BirthDate({
  defaultValue,
  error,
  label,
  hint,
  thisYear,
}: {
  defaultValue: TypedDate;
  error?: string;
  label: string;
  hint: string;
  thisYear: number;
}) {
  const { t } = useTranslation('ui');
  const language = useLanguage();
  const parts = [
    { part: 'day', mode: 'numeric', length: 2, offered: numbers(31, (index) => index + 1) },
    { part: 'month', mode: 'text', length: 20, offered: calendarWords[language].months },
    {
      part: 'year',
      mode: 'numeric',
      length: 4,
      offered: numbers(YEARS_OFFERED, (index) => thisYear - index),
    },
  ] as const;
  return (
    <FieldSet error={error} hint={hint} label={label} name="dateOfBirth" width="number">
      <DateParts>
        {parts.map(({ part, mode, length, offered }) => {
          const id = part === 'day' ? 'dateOfBirth' : `dateOfBirth-${part}`;
          return (
            <DatePart id={id} key={part} label={t(`date.${part}`)}>
              <input
                aria-invalid={hasError(error) || undefined}
                aria-required
                autoComplete={`bday-${part}`}
                className="control figures"
                defaultValue={defaultValue[part]}
                id={id}
                inputMode={mode}
                list={`dateOfBirth-${part}s`}
                maxLength={length}
                name={`dateOfBirth-${part}`}
                type="text"
              />
              <datalist id={`dateOfBirth-${part}s`}>
                {offered.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </datalist>
            </DatePart>
          );
        })}
      </DateParts>
    </FieldSet>
  );
}

const numbers = (length: number, at: (index: number) => number): readonly string[] =>
  Array.from({ length }, (_, index) => String(at(index)));
