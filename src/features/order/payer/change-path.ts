/**
 * Where the payer of an unpaid order changes the answers of an application. An order that bears the number of an insurance
 * holds that alone; beside an e-visa an insurance is changed with it. `number`: the application's own, or its order's.
 */
export const changePath = (number: string, orderNumber: string): string =>
  orderNumber.startsWith('TRI')
    ? `/insurance/change?ref=${orderNumber}`
    : `/application/change?ref=${number.startsWith('TRI') ? orderNumber : number}`;
