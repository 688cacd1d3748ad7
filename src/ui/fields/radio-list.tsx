import type { ChangeEventHandler, ReactNode } from 'react';
import type { FieldText } from './field.tsx';
import { FieldSet } from './field-set.tsx';

type RadioOption = { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean };

/** Simple choices, one per row, or side by side where they are as short as yes and no. */
export function RadioList({
  options,
  folded,
  defaultValue,
  onChange,
  inline,
  heading,
  className,
  ...text
}: FieldText & {
  options: readonly RadioOption[];
  /** More options under a heading that opens them; open where one of them is chosen. */
  folded?: { label: ReactNode; options: readonly RadioOption[]; below?: ReactNode };
  defaultValue?: string;
  onChange?: ChangeEventHandler<HTMLInputElement>;
  inline?: boolean;
  heading?: 'h1' | 'h2';
  className?: string;
}) {
  const row = (option: RadioOption) => {
    const id = option === options[0] ? text.name : `${text.name}-${option.value}`;
    return (
      <label className="check-row flex" htmlFor={id} key={option.value}>
        <input
          className="radio"
          defaultChecked={option.value === defaultValue}
          disabled={option.disabled}
          id={id}
          name={text.name}
          onChange={onChange}
          type="radio"
          value={option.value}
        />
        <span className="grid">
          <span className="radio-label">{option.label}</span>
          {option.hint === undefined ? null : <span className="field-hint">{option.hint}</span>}
        </span>
      </label>
    );
  };
  return (
    <FieldSet {...text} className={className} heading={heading}>
      <div className={inline ? 'mt-1.5 flex flex-wrap gap-x-8 gap-y-1' : 'mt-1.5 grid gap-1'}>
        {options.map(row)}
        {folded ? (
          <details
            className="save-later"
            open={folded.options.some(({ value }) => value === defaultValue)}
          >
            <summary className="min-h-11 cursor-pointer py-2.5 underline underline-offset-4">
              {folded.label}
            </summary>
            <div className="grid gap-1">{folded.options.map(row)}</div>
            {folded.below}
          </details>
        ) : null}
      </div>
    </FieldSet>
  );
}
