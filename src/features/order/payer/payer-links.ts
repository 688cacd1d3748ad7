/**
 * The page on which the payer of an unpaid order changes an application. An order with an insurance's number holds only
 * that; in any other the page finds out whether an insurance is changed with its traveller's e-visa. `number`: the
 * application's own, or its order's.
 */
export const changePath = (number: string, orderNumber: string): string =>
  orderNumber.startsWith('TRI')
    ? `/insurance/change?ref=${orderNumber}`
    : `/application/change?ref=${number}`;

/** Days that the payer's link in an email works, as long as a browser's session. */
export const PAYER_LINK_DAYS = 30;
