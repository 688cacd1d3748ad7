import { Link } from '~/ui/page/link.tsx';

/** Two ink petals and one of tulip red; on an ink ground the outer ones turn cream. Never mirrored. */
export function LogoMark() {
  return (
    <svg aria-hidden="true" className="logo-mark" height="34" viewBox="0 0 25 34" width="25">
      <path
        className="logo-petal"
        d="M4.300 4.700C2.700 10.200 2.800 15.600 3.300 20c.8 7.400 4.500 12.600 9 12.700-.4-4.200-.8-9-1.500-13.700-.9-5.600-3-10.200-6.500-14.300M20.700 4.700c1.600 5.500 1.500 10.900 1 15.300-.8 7.400-4.500 12.600-9 12.700.4-4.200.8-9 1.500-13.700.9-5.600 3-10.200 6.500-14.300"
      />
      <path
        className="logo-heart"
        d="M12.500 1.200c1.500 4.600 2.200 9 2.200 13.200 0 4.600-.9 9-2.200 13.400-1.300-4.400-2.200-8.800-2.200-13.400 0-4.200.7-8.600 2.200-13.200"
      />
    </svg>
  );
}

/** The lockup, leading home. */
export function Logo() {
  return (
    <Link className="logo" dir="ltr" to="/">
      <LogoMark />
      <span className="logo-name">Lale</span>
    </Link>
  );
}
