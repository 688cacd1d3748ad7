/** 20 px grid, 1.6 stroke, round ends, no fill. */
const paths = {
  arrow: 'M3.5 10h13M11.5 5l5 5-5 5',
  check: 'M4 10.5l4 4 8-9',
  cross: 'M5 5l10 10M15 5L5 15',
  info: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4M10 9.2v4.3M10 6.4v.1',
  alert: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4M10 6.3v4.4M10 13.4v.1',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4 4',
  download: 'M10 3v9.5M6 8.8l4 4 4-4M3.5 16.5h13',
  print:
    'M6 7V3h8v4M6 14H4a1 1 0 0 1-1-1V8.500a1.500 1.500 0 0 1 1.500-1.500h11A1.500 1.500 0 0 1 17 8.500V13a1 1 0 0 1-1 1h-2M6 11.500h8V17H6z',
  lock: 'M5 9h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1M6.800 9V6.200a3.200 3.200 0 0 1 6.400 0V9',
  globe:
    'M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400M3 10h14M10 2.800c4.200 4.200 4.200 10.200 0 14.400M10 2.800c-4.200 4.200-4.200 10.200 0 14.400',
  chevron: 'M5.2 7.8l4.800 4.700 4.800-4.700',
  menu: 'M3.500 6h13M3.500 10h13M3.500 14h13',
  clock: 'M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400M10 6v4.300l2.800 1.700',
  file: 'M5 3h6.500L15 6.500V17H5zM11.500 3v3.500H15',
  envelope: 'M3 5h14v10.500H3zM3 5.500l7 5.500 7-5.500',
  calendar: 'M3.500 5h13v12h-13zM3.500 8.800h13M7 3v3.500M13 3v3.500',
  copy: 'M7 7h9.500v9.500H7zM4.500 13H3.500V3.500H13v1',
  camera:
    'M3 6.500h3L7.500 4.500h5L14 6.500h3v9.500H3zM10 8.300a2.700 2.700 0 1 0 0 5.400 2.700 2.700 0 0 0 0-5.400',
} as const;

export type IconName = keyof typeof paths;

/** The arrow points in the reading direction: it alone is mirrored in Arabic. */
export function Icon({ name, size = 20 }: { name: IconName; size?: 14 | 18 | 20 }) {
  return (
    <svg
      aria-hidden="true"
      className={name === 'arrow' ? 'icon icon-directional' : 'icon'}
      focusable="false"
      height={size}
      viewBox="0 0 20 20"
      width={size}
    >
      <path d={paths[name]} />
    </svg>
  );
}
