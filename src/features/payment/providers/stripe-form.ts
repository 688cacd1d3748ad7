/** A request to Stripe before it is encoded: nested objects and lists of texts and numbers. */
export type StripeFields = {
  readonly [name: string]: StripeValue | undefined;
};
type StripeValue = string | number | StripeFields | readonly StripeValue[];

/**
 * Encodes fields as Stripe reads them: `line_items[0][quantity]=1`. Fields that are undefined are left out.
 * https://docs.stripe.com/api (requests are form-encoded, answers are JSON)
 */
export function stripeForm(fields: StripeFields): URLSearchParams {
  return new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => pairs(name, value)));
}

function pairs(name: string, value: StripeValue | undefined): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => pairs(`${name}[${key}]`, inner));
}
