/** The page where the application of an order was filled in; an order of several began with the visa. */
export const formPath = (orderNumber: string | null): '/insurance' | '/application' =>
  orderNumber?.startsWith('TRI') ? '/insurance' : '/application';
