import type { ChangeEventHandler, ReactNode } from 'react';

type SegmentOption = { value: string; label: ReactNode };

/** Two or three options in one frame, of which one is current; a radio group in its form. */
export function Segment({
  name,
  legend,
  options,
  defaultValue,
  onChange,
}: {
  name: string;
  /** Read by screen readers, not shown. */
  legend: string;
  options: readonly SegmentOption[];
  defaultValue: string;
  onChange?: ChangeEventHandler<HTMLInputElement>;
}) {
  return (
    <fieldset className="m-0 flex w-full flex-wrap overflow-hidden rounded-button border border-edge bg-paper p-0 has-focus-visible:outline-3 has-focus-visible:outline-offset-1 has-focus-visible:outline-cobalt wide:w-fit print:hidden">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          className="relative flex-1 cursor-pointer has-checked:bg-ink has-checked:text-paper forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none"
          key={option.value}
        >
          <input
            className="absolute inset-0 m-0 cursor-[inherit] appearance-none focus-visible:outline-none"
            defaultChecked={option.value === defaultValue}
            name={name}
            onChange={onChange}
            type="radio"
            value={option.value}
          />
          <span className="pointer-events-none relative flex min-h-11 items-center justify-center px-3 text-center text-[0.9375rem] font-medium wide:px-5.5 wide:text-[1rem] wide:whitespace-nowrap">
            {option.label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
