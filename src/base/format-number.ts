/** The letters that say what a number is of: TRV, TRI or TRG. */
export const PREFIX_LENGTH = 3;

/** A number of an application or order in groups of four for reading and copying by hand: "TRV 7K2M 9QXD 4HPB R". */
export const formatNumber = (number: string): string =>
  [number.slice(0, PREFIX_LENGTH), ...(number.slice(PREFIX_LENGTH).match(/.{1,4}/g) ?? [])].join(
    ' ',
  );
