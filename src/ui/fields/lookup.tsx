import type { InputHTMLAttributes, ReactNode } from 'react';
import { Button } from '../button.tsx';
import { controlProps, FieldError, hasError, type FieldText } from './field.tsx';
import { classNames } from '../class-names.ts';

/** A field for a number and the button that finds it, 620 px; stands in a form of the page. */
export function Lookup({
  name,
  label,
  error,
  button,
  ...input
}: Omit<FieldText, 'hint'> & { button: ReactNode } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'name'
  >) {
  const text = { name, label, error };
  return (
    <div className={classNames('field max-w-155 print:hidden', hasError(error) && 'has-error')}>
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      <FieldError {...text} />
      <div className="mt-1.5 grid w-full grid-cols-1 gap-3 wide:grid-cols-[minmax(0,1fr)_auto]">
        <input
          autoCapitalize="characters"
          autoComplete="off"
          dir="ltr"
          spellCheck={false}
          type="text"
          {...input}
          {...controlProps(text)}
          className="control control-mono mt-0 min-h-13"
        />
        <Button icon="search">{button}</Button>
      </div>
    </div>
  );
}
