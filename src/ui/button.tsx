import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from './page/link.tsx';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

type Shared = {
  /** One primary button per view. `light` and `ink` stand on a picture or an ink ground. */
  look?: 'primary' | 'secondary' | 'plain' | 'danger' | 'light' | 'ink';
  /** 44 px instead of 52. */
  small?: boolean;
  icon?: IconName;
  /** An arrow after the words, along the reading direction. */
  arrow?: boolean;
  /** As wide as its column at every width. */
  wide?: boolean;
  children: ReactNode;
};

const colors: Readonly<Record<NonNullable<Shared['look']>, string>> = {
  primary: 'bg-turquoise text-paper hover:bg-turquoise-dark active:bg-turquoise-pressed',
  secondary:
    'border-turquoise bg-paper text-turquoise hover:bg-turquoise-pale active:border-turquoise-pressed active:bg-turquoise-pale active:text-turquoise-pressed',
  plain: '',
  danger: 'border-red bg-paper text-red hover:bg-red-ground active:bg-red-ground',
  light: 'bg-cream text-ink hover:bg-paper active:bg-sand',
  ink: 'bg-ink text-cream hover:bg-ink-hover',
};

type State = Pick<ButtonHTMLAttributes<HTMLElement>, 'disabled' | 'aria-disabled' | 'className'>;

function buttonClass({ look = 'primary', small, wide }: Shared, state: State): string {
  const isDisabled = state.disabled || state['aria-disabled'];
  return classNames(
    'button',
    look === 'plain' && 'button-plain',
    isDisabled
      ? 'border-transparent bg-disabled-button text-disabled'
      : `forced-colors:border-[ButtonBorder] ${colors[look]}`,
    small && 'button-small',
    wide && 'button-wide',
    state.className,
  );
}

function Content({ icon, arrow, busy, children }: Shared & { busy?: boolean }) {
  return (
    <>
      {busy ? (
        <span aria-hidden="true" className="button-ring" />
      ) : icon ? (
        <Icon name={icon} />
      ) : null}
      <span>{children}</span>
      {arrow && !busy ? <Icon name="arrow" /> : null}
    </>
  );
}

type ButtonProps = Shared & { busy?: boolean } & Omit<
    ButtonHTMLAttributes<HTMLButtonElement>,
    'children'
  >;

/** Submits its form unless `type` says otherwise. Busy keeps focus and ignores clicks. */
export function Button({ look, small, icon, arrow, wide, busy, children, ...rest }: ButtonProps) {
  const shared = { look, small, icon, arrow, wide, children };
  return (
    <button
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      className={buttonClass(shared, {
        ...rest,
        'aria-disabled': !busy && rest['aria-disabled'],
      })}
      // A second press while the first is under way must not submit twice.
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      <Content {...shared} busy={busy} />
    </button>
  );
}

/** A page of ours, in the language of this page. */
export function ButtonLink({
  look,
  small,
  icon,
  arrow,
  wide,
  children,
  ...rest
}: Shared & Omit<LinkProps, 'children'>) {
  const shared = { look, small, icon, arrow, wide, children };
  return (
    <Link {...rest} className={buttonClass(shared, rest)}>
      <Content {...shared} />
    </Link>
  );
}

/** An address outside the pages: a file, another site, an e-mail. */
export function ButtonAnchor({
  look,
  icon,
  wide,
  children,
  ...rest
}: Omit<Shared, 'small' | 'arrow'> & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'children'>) {
  const shared = { look, icon, wide, children };
  return (
    <a {...rest} className={buttonClass(shared, rest)}>
      <Content {...shared} />
    </a>
  );
}
