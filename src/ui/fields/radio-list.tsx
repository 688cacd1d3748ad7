import type { ChangeEventHandler, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import type { FieldText } from './field.tsx';
import { FieldSet } from './field-set.tsx';

export type RadioOption = { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean };

/** Simple choices, one per row, or side by side where they are as short as yes and no. */
export function RadioList({
  options,
  defaultValue,
  onChange,
  inline,
  heading,
  className,
  ...text
}: FieldText & {
  options: readonly RadioOption[];
  defaultValue?: string;
  onChange?: ChangeEventHandler<HTMLInputElement>;
  inline?: boolean;
  heading?: 'h1' | 'h2';
  className?: string;
}) {
  return (
    <FieldSet {...text} className={className} heading={heading}>
      <div className={classNames('radio-list', inline && 'radio-list-inline')}>
        {options.map((option, index) => {
          const id = index === 0 ? text.name : `${text.name}-${option.value}`;
          return (
            <label className="radio-row" htmlFor={id} key={option.value}>
              <input
                aria-describedby={option.hint === undefined ? undefined : `${id}-option-hint`}
                className="radio"
                defaultChecked={option.value === defaultValue}
                disabled={option.disabled}
                id={id}
                name={text.name}
                onChange={onChange}
                type="radio"
                value={option.value}
              />
              <span className="radio-text">
                <span className="radio-label">{option.label}</span>
                {option.hint === undefined ? null : (
                  <span className="field-hint" id={`${id}-option-hint`}>
                    {option.hint}
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
    </FieldSet>
  );
}
