import type { ChangeEventHandler, ReactNode } from 'react';
import type { FieldText } from './field.tsx';
import { FieldSet } from './field-set.tsx';

export type RadioCard = {
  value: string;
  name: ReactNode;
  /** Lines below the name: what it takes, and what that usually means. */
  details: readonly ReactNode[];
  /** Small caption of the middle column, such as "Ready by". */
  momentLabel: ReactNode;
  /** Empty: not known yet. */
  moment: ReactNode;
  momentNote?: ReactNode;
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
      <div className="radio-cards">
        {cards.map((card) => (
          <label className="radio-card" key={card.value}>
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
            <span className="radio-card-what">
              <span className="radio-card-name">{card.name}</span>
              {card.details.map((line, index) => (
                <span className="radio-card-line" key={index}>
                  {line}
                </span>
              ))}
            </span>
            {card.moment ? (
              <span className="radio-card-when">
                <span className="radio-card-moment">
                  <span className="radio-card-line">{card.momentLabel}</span>{' '}
                  <strong>{card.moment}</strong>
                </span>
                {card.momentNote === undefined ? null : (
                  <span className="radio-card-line">{card.momentNote}</span>
                )}
              </span>
            ) : null}
            <span className="radio-card-price figures">{card.price}</span>
          </label>
        ))}
      </div>
    </FieldSet>
  );
}
