import type { InputHTMLAttributes } from 'react';
import { controlProps, Field, type FieldText, type FieldWidth } from './field.tsx';

/** The browser's own file chooser in our frame; `hint` says which files and how large. */
export function FileField({
  name,
  label,
  hint,
  error,
  width = 'email',
  className,
  ...input
}: FieldText & { width?: FieldWidth } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'name' | 'type' | 'width'
  >) {
  const text = { name, label, hint, error };
  return (
    <Field {...text} className={className} width={width}>
      <input {...input} {...controlProps(text)} className="control control-file" type="file" />
    </Field>
  );
}
