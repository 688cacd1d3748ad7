import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type MenuProps = {
  /** Unique on the page. */
  id: string;
  button: ReactNode;
  /** Accessible name, where the button's content alone does not say it. */
  buttonLabel?: string;
  buttonClass?: string;
  className?: string;
  children: ReactNode;
};

/** A native popover and the button that opens it: no script, closes on Escape and on a press outside. */
export function Menu({ className, children, ...button }: MenuProps) {
  return (
    <>
      <MenuButton {...button} />
      <MenuPanel className={className} id={button.id}>
        {children}
      </MenuPanel>
    </>
  );
}

/** The button alone; its panel may stand anywhere on the page. */
export function MenuButton({
  id,
  button,
  buttonLabel,
  buttonClass,
}: Omit<MenuProps, 'className' | 'children'>) {
  return (
    <button aria-label={buttonLabel} className={buttonClass} popoverTarget={id} type="button">
      {button}
    </button>
  );
}

export function MenuPanel({
  id,
  className,
  children,
}: Pick<MenuProps, 'id' | 'className' | 'children'>) {
  return (
    <div className={classNames('menu', className)} id={id} popover="auto">
      {children}
    </div>
  );
}
