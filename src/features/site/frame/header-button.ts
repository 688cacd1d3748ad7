/** The pills of the header. */
export const headerButton =
  'inline-flex h-11 items-center justify-center gap-2 rounded-full border border-line-2 text-ink hover:border-edge hover:bg-paper print:hidden';
