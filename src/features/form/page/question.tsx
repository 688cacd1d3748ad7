import type { ReactNode } from 'react';
import { partsTyped } from '~/base/dates/dates.ts';
import type { CalendarDays } from '~/ui/fields/date-calendar.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import type { FieldWidth } from '~/ui/fields/field.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { ControlKind } from '../answers/controls.ts';
import type { FieldErrors } from './use-field-errors.tsx';

const plainLine: ControlKind = { kind: 'line' };

/** A typed question with its label, value and problem. */
export function Question<Field extends string>({
  field,
  form,
  heading,
  hint,
  label,
  suggestions = [],
  width,
  calendar,
}: {
  field: Field;
  form: FieldErrors<Field>;
  /** Set where the question is the page's heading. */
  heading?: 'h2';
  hint?: ReactNode;
  /** Set where the label is not the field's own. */
  label?: string;
  /** Values offered in a list below the field. */
  suggestions?: readonly string[];
  width?: FieldWidth;
  /** Offers a calendar for a date within these days. */
  calendar?: CalendarDays;
}) {
  const { t } = useTranslation();
  const { start } = form;
  const { name: namespace, inputs, optional } = form.form;
  const text = {
    name: field,
    label: label ?? t(`${namespace}:labels.${field}`, field),
    hint,
    error: form.errorAt(field),
    isRequired: !optional.includes(field),
  };
  const input = inputs[field] ?? plainLine;
  if (input.kind === 'date') {
    return (
      <DateField
        {...text}
        birthday={input.isBirthday}
        calendar={calendar}
        defaultValue={partsTyped(start, field)}
        heading={heading}
      />
    );
  }
  const { kind, ...attributes } = input;
  if (kind === 'area') return <TextArea {...text} {...attributes} defaultValue={start[field]} />;
  const list = suggestions.length > 0 ? `${field}-suggestions` : undefined;
  return (
    <TextField
      {...text}
      {...attributes}
      {...(width && { width })}
      after={
        field === 'email' ? (
          <EmailChoice
            ask={form.askedEmail}
            chosen={start[EMAIL_ANSWER]}
            typed={start.email ?? ''}
          />
        ) : list ? (
          <datalist id={list}>
            {suggestions.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </datalist>
        ) : null
      }
      defaultValue={start[field]}
      list={list}
    />
  );
}
