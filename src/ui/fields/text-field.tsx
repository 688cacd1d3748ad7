import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';
import { classNames } from '../class-names.ts';
import { controlProps, Field, type FieldText, type FieldWidth } from './field.tsx';

type TextFieldProps = FieldText & {
  width?: FieldWidth;
  /** Passport number, e-mail, phone and names: Latin runs that stay left to right in Arabic. */
  latin?: boolean;
  /** Numbers that are compared character by character. */
  mono?: boolean;
  /** Shown below the control, such as an A-Z preview. */
  after?: ReactNode;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'width'>;

export function TextField({
  name,
  label,
  hint,
  error,
  isRequired,
  width,
  latin,
  mono,
  after,
  className,
  ...input
}: TextFieldProps) {
  const text = { name, label, hint, error, isRequired };
  return (
    <Field {...text} className={className} width={width}>
      <input
        dir={latin ? 'ltr' : undefined}
        type="text"
        {...input}
        {...controlProps(text)}
        className={classNames('control', mono && 'control-mono')}
      />
      {after}
    </Field>
  );
}

type TextAreaProps = FieldText & { width?: FieldWidth; latin?: boolean; mono?: boolean } & Omit<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    'name'
  >;

export function TextArea({
  name,
  label,
  hint,
  error,
  isRequired,
  width = 'full',
  latin,
  mono,
  className,
  ...area
}: TextAreaProps) {
  const text = { name, label, hint, error, isRequired };
  return (
    <Field {...text} className={className} width={width}>
      <textarea
        dir={latin ? 'ltr' : undefined}
        rows={2}
        {...area}
        {...controlProps(text)}
        className={classNames('control control-area', mono && 'control-mono')}
      />
    </Field>
  );
}
