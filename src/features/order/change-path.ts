/**
 * Where the payer of an unpaid order changes the answers of an application; `number`: its own, or its order's. Null where
 * the form of that application cannot be opened again.
 */
export const changePath = (number: string): string | null =>
  number.startsWith('TRI') ? null : `/application/change?ref=${number}`;
