/** The control that says whether something is sold: `yes` or `no`. */
export const saleField = (item: string): string => `sale-${item}`;
