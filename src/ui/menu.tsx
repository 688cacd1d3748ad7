import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/**
 * A native popover and the button that opens it: no script, closes on Escape and on a press outside.
 * `id` must be unique on the page.
 */
export function Menu({
  id,
  button,
  buttonLabel,
  buttonClass,
  className,
  children,
}: {
  id: string;
  button: ReactNode;
  /** Accessible name, where the button's content alone does not say it. */
  buttonLabel?: string;
  buttonClass?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <>
      <button aria-label={buttonLabel} className={buttonClass} popoverTarget={id} type="button">
        {button}
      </button>
      <div className={classNames('menu', className)} id={id} popover="auto">
        {children}
      </div>
    </>
  );
}
