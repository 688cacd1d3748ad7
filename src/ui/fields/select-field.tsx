import type { ReactNode, SelectHTMLAttributes } from 'react';
import { Icon } from '../icon.tsx';
import { controlProps, Field, type FieldText, type FieldWidth } from './field.tsx';

export type SelectOption = { value: string; label: string; disabled?: boolean };

/** Gives a select the chevron that every one here has. */
export function SelectFrame({ children }: { children: ReactNode }) {
  return (
    <span className="select">
      {children}
      <Icon name="chevron" size={18} />
    </span>
  );
}

type SelectFieldProps = FieldText & {
  width?: FieldWidth;
  /** Ready options; `children` may hold `<option>` and `<optgroup>` instead. */
  options?: readonly SelectOption[];
  /** First, empty option: what a visitor reads before choosing. */
  emptyLabel?: string;
  children?: ReactNode;
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name'>;

export function SelectField({
  name,
  label,
  hint,
  error,
  isRequired,
  width,
  options = [],
  emptyLabel,
  children,
  className,
  ...select
}: SelectFieldProps) {
  const text = { name, label, hint, error, isRequired };
  return (
    <Field {...text} className={className} width={width}>
      <SelectFrame>
        <select {...select} {...controlProps(text)} className="control">
          {emptyLabel === undefined ? null : <option value="">{emptyLabel}</option>}
          {options.map((option) => (
            <option disabled={option.disabled} key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
          {children}
        </select>
      </SelectFrame>
    </Field>
  );
}
