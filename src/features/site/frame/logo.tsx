import { classNames } from '~/ui/class-names.ts';
import { Link } from '~/ui/page/link.tsx';

/** Two petals in ink and one in tulip red; in the footer the outer ones are cream. Never mirrored. */
function LogoMark({ small }: { small: boolean }) {
  return (
    <svg
      aria-hidden="true"
      className="flex-none"
      height={small ? 25 : 34}
      viewBox="0 0 25 34"
      width={small ? 18 : 25}
    >
      <path
        className="fill-ink in-[footer]:fill-cream"
        d="M4.300 4.700C2.700 10.200 2.800 15.600 3.300 20c.8 7.400 4.500 12.600 9 12.700-.4-4.200-.8-9-1.500-13.700-.9-5.600-3-10.200-6.500-14.300M20.700 4.700c1.600 5.500 1.500 10.900 1 15.300-.8 7.400-4.500 12.600-9 12.700.4-4.200.8-9 1.500-13.700.9-5.600 3-10.200 6.500-14.300"
      />
      <path
        className="fill-tulip-petal"
        d="M12.500 1.200c1.500 4.600 2.200 9 2.200 13.200 0 4.600-.9 9-2.200 13.400-1.300-4.400-2.200-8.800-2.200-13.400 0-4.200.7-8.600 2.200-13.200"
      />
    </svg>
  );
}

/** The logo, linked to the home page; smaller at the desk. */
export function Logo({
  to = '/',
  label,
  small = false,
}: {
  to?: string;
  label?: string;
  small?: boolean;
}) {
  return (
    <Link
      aria-label={label}
      className="inline-flex min-h-11 flex-none items-center gap-2.75 text-ink no-underline"
      dir="ltr"
      to={to}
    >
      <LogoMark small={small} />
      <span
        className={classNames(
          'font-display leading-[1.75rem] font-semibold tracking-[-0.012em]',
          small ? 'text-[1.375rem]' : 'text-[1.6875rem]',
        )}
      >
        Lale
      </span>
    </Link>
  );
}
