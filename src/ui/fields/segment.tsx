import type { ChangeEventHandler, ReactNode } from 'react';

export type SegmentOption = { value: string; label: ReactNode };

/** Two or three halves in one frame, of which one is current; a radio group in its form. */
export function Segment({
  name,
  legend,
  options,
  defaultValue,
  onChange,
}: {
  name: string;
  /** Read, not shown. */
  legend: string;
  options: readonly SegmentOption[];
  defaultValue: string;
  onChange?: ChangeEventHandler<HTMLInputElement>;
}) {
  return (
    <fieldset className="segment">
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label className="segment-option" key={option.value}>
          <input
            defaultChecked={option.value === defaultValue}
            name={name}
            onChange={onChange}
            type="radio"
            value={option.value}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
