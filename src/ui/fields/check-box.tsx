import type { InputHTMLAttributes, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { controlProps, FieldError, hasError } from './field.tsx';
import { Icon } from '../icon.tsx';

type CheckBoxProps = {
  name: string;
  /** Where several boxes have one name; the name otherwise. */
  id?: string;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'name' | 'type'>;

/** Sends `yes` when ticked, unless `value` says otherwise. Never pre-tick an extra. */
export function CheckBox({
  name,
  id = name,
  label,
  hint,
  error,
  className,
  ...input
}: CheckBoxProps) {
  const text = { name: id, label, hint, error };
  return (
    <div className={classNames('check', hasError(error) && 'has-error', className)}>
      <FieldError {...text} />
      <label className="check-row">
        <span className="check-box">
          <input value="yes" {...input} {...controlProps(text)} name={name} type="checkbox" />
          <Icon name="check" size={18} />
        </span>
        <span className="check-text">{label}</span>
      </label>
      {hint === undefined ? null : (
        <p className="field-hint ps-9" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
