/** One order is for so many travellers at most. */
export const MOST_TRAVELLERS = 10;

/** The insurance that stands in an order beside a visa: the same traveller's; null where there is none. */
export const insuranceOf = <A extends { kind: 'visa' | 'insurance'; travellerPosition: number }>(
  together: readonly A[],
  { travellerPosition }: { travellerPosition: number },
): A | null =>
  together.find((one) => one.kind === 'insurance' && one.travellerPosition === travellerPosition) ??
  null;
