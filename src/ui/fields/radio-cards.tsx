import type { ChangeEventHandler, ReactNode } from 'react';
import type { FieldText } from './field.tsx';
import { FieldSet } from './field-set.tsx';

export type RadioCard = {
  value: string;
  name: ReactNode;
  /** Below the name: what it takes. */
  details: ReactNode;
  /** Small caption of the middle column. */
  momentLabel?: ReactNode;
  /** Empty: not known yet. */
  moment: ReactNode;
  momentNote?: ReactNode;
  /** Another line below the moment, while the card is chosen. */
  chosenNote?: ReactNode;
  price: ReactNode;
  /** A card that cannot be chosen: say why in `details` or `momentNote`. */
  disabled?: boolean;
};

/** A choice with a moment and a price on each card. */
export function RadioCards({
  cards,
  defaultValue,
  value,
  onChange,
  heading,
  className,
  ...text
}: FieldText & {
  cards: readonly RadioCard[];
  defaultValue?: string;
  /** What is chosen, where the page and not the browser keeps it: with `onChange`, in place of `defaultValue`. */
  value?: string;
  onChange?: ChangeEventHandler<HTMLInputElement>;
  heading?: 'h1' | 'h2';
  className?: string;
}) {
  const firstChoosable = cards.find((card) => !card.disabled)?.value;
  return (
    <FieldSet {...text} className={className} heading={heading}>
      <div className="@container mt-4.5 grid w-full gap-3">
        {cards.map((card) => (
          <label className="radio-card group" key={card.value}>
            <input
              className="radio"
              {...(value === undefined
                ? { defaultChecked: card.value === defaultValue }
                : { checked: card.value === value })}
              disabled={card.disabled}
              id={card.value === firstChoosable ? text.name : `${text.name}-${card.value}`}
              name={text.name}
              onChange={onChange}
              type="radio"
              value={card.value}
            />
            <span className="col-[2/-1] row-1 wide:col-2">
              <span className="mb-px block pe-24 font-display @max-[16rem]:pe-0 text-[1.25rem] leading-[1.625rem] font-semibold tracking-display wide:pe-0">
                {card.name}
              </span>
              {card.details ? <Line className="block">{card.details}</Line> : null}
            </span>
            {card.moment ? (
              <span className="col-[2/-1] mt-2 wide:col-3 wide:row-1 wide:mt-0">
                <span>
                  {card.momentLabel ? (
                    <Line className="wide:block wide:leading-[1.5rem]">{card.momentLabel} </Line>
                  ) : null}
                  <strong className="text-[1.03125rem] group-has-disabled:font-medium wide:block wide:leading-[1.5rem]">
                    {card.moment}
                  </strong>
                </span>
                {card.chosenNote ? (
                  <Line className="hidden group-has-checked:block">{card.chosenNote}</Line>
                ) : null}
                {card.momentNote ? <Line className="block">{card.momentNote}</Line> : null}
              </span>
            ) : null}
            <span className="figures col-3 row-1 text-end text-[1.1875rem] leading-[1.625rem] font-semibold [unicode-bidi:isolate] group-has-disabled:font-medium wide:col-4 @max-[16rem]:col-[2/-1] @max-[16rem]:row-auto @max-[16rem]:mt-2 @max-[16rem]:text-start">
              {card.price}
            </span>
          </label>
        ))}
      </div>
    </FieldSet>
  );
}

function Line({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className={`text-[0.90625rem] leading-[1.3125rem] text-ink-2 ${className}`}>
      {children}
    </span>
  );
}
