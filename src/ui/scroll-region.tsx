import type { HTMLAttributes } from 'react';

type Named = { 'aria-label': string } | { 'aria-labelledby': string };

/** A part of a page that scrolls in itself: it has a name and takes the focus, so that keys can scroll it. */
export function ScrollRegion(props: HTMLAttributes<HTMLDivElement> & Named) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
  return <div {...props} role="region" tabIndex={0} />;
}
