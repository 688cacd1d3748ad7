import type { ReactNode } from 'react';
import type { CalendarDays } from '~/ui/fields/date-calendar.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import type { FieldWidth } from '~/ui/fields/field.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { partsTyped } from '../answers/controls.ts';
import type { FieldErrors } from './use-field-errors.tsx';

type Line = Pick<
  Parameters<typeof TextField>[0],
  | 'autoCapitalize'
  | 'autoComplete'
  | 'autoCorrect'
  | 'inputMode'
  | 'latin'
  | 'spellCheck'
  | 'type'
  | 'width'
>;

/** The kind of control: one line, several lines, or a date in three controls. */
type Input =
  | ({ kind: 'line' } & Line)
  | ({ kind: 'area' } & Pick<Line, 'autoComplete' | 'autoCorrect' | 'latin' | 'spellCheck'>)
  | { kind: 'date'; isBirthday?: true };

const line = (more: Line = {}): Input => ({ kind: 'line', autoComplete: 'off', ...more });
/** Phones and browsers would correct names, places and numbers to words of their dictionaries. */
const asTyped = { autoCorrect: 'off', latin: true, spellCheck: false } as const;
const [latin, wide] = [line(asTyped), line({ ...asTyped, width: 'full' })];
const date: Input = { kind: 'date' };

/** The typed questions, alike in every form; questions with choices are on their pages. */
const inputs = {
  lastName: line({ ...asTyped, autoComplete: 'family-name', width: 'full' }),
  firstName: line({ ...asTyped, autoComplete: 'given-name', width: 'full' }),
  passportNumber: line({ ...asTyped, autoCapitalize: 'characters' }),
  dateOfBirth: { kind: 'date', isBirthday: true },
  placeOfBirth: latin,
  passportIssueDate: date,
  passportExpiryDate: date,
  motherName: wide,
  fatherName: wide,
  email: line({
    ...asTyped,
    autoComplete: 'email',
    inputMode: 'email',
    type: 'email',
    width: 'email',
  }),
  phone: line({ autoComplete: 'tel', inputMode: 'tel', latin: true, type: 'tel' }),
  address: { kind: 'area', ...asTyped, autoComplete: 'street-address' },
  arrivalDate: date,
  supportingDocumentNumber: latin,
  supportingDocumentStartDate: date,
  supportingDocumentEndDate: date,
  travelDate: date,
  returnDate: date,
} as const satisfies Record<string, Input>;

/** A typed question. */
type InputField = keyof typeof inputs;

/** A typed question with its label, value and problem. */
export function Question<Field extends InputField>({
  field,
  form,
  heading,
  hint,
  label,
  isOptional = false,
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
  /** The label says so. */
  isOptional?: boolean;
  /** Values offered in a list below the field. */
  suggestions?: readonly string[];
  width?: FieldWidth;
  /** Offers a calendar for a date within these days. */
  calendar?: CalendarDays;
}) {
  const { t } = useTranslation();
  const { start } = form;
  const text = {
    name: field,
    label: label ?? t(`${form.form}:labels.${field}`, field),
    hint,
    error: form.errorAt(field),
    isRequired: !isOptional,
  };
  const input: Input = inputs[field];
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
