/** Whether our prices include what the Turkish authorities charge for the e-visa. */
export const authoritiesCharges = ['included', 'not_included'] as const;
export type AuthoritiesCharge = (typeof authoritiesCharges)[number];

/** Cards whose logo the footer can show: views of `public/cards.svg`. */
export const cardBrands = [
  'visa',
  'mastercard',
  'amex',
  'discover',
  'troy',
  'jcb',
  'diners',
  'unionpay',
] as const;
export type CardBrand = (typeof cardBrands)[number];

/**
 * The operator that test mode names where none is configured: complete, so that pages and e-mails have their real
 * length, and plainly invented. Live mode never uses it.
 */
export const sampleOperator = {
  legalName: 'Sample Operator',
  address: '1 Sample Street, Sample City',
  taxNumber: '0000000000',
  supportEmail: 'support@operator.example',
  supportPhone: '+00 000 000 00 00',
} as const;

type Named = { [Field in keyof typeof sampleOperator]: string };

/** A place to be filled in: `[Operator address]`. */
const isOpen = (text: string): boolean => /^\[.*\]$/.test(text);
const either = (text: string, sample: string): string => (isOpen(text) ? sample : text);

/** The same operator with samples in the open places. */
export const withSamples = <
  O extends Named & { authoritiesCharge?: AuthoritiesCharge; cards?: readonly CardBrand[] },
>(
  operator: O,
): O => ({
  ...operator,
  authoritiesCharge: operator.authoritiesCharge ?? 'included',
  cards: operator.cards ?? cardBrands,
  legalName: either(operator.legalName, sampleOperator.legalName),
  address: either(operator.address, sampleOperator.address),
  taxNumber: either(operator.taxNumber, sampleOperator.taxNumber),
  supportEmail: either(operator.supportEmail, sampleOperator.supportEmail),
  supportPhone: either(operator.supportPhone, sampleOperator.supportPhone),
});

/** Whether anything said of the operator is a sample. */
export const hasSamples = (operator: Named): boolean =>
  operator.legalName === sampleOperator.legalName ||
  operator.address === sampleOperator.address ||
  operator.taxNumber === sampleOperator.taxNumber ||
  operator.supportEmail === sampleOperator.supportEmail ||
  operator.supportPhone === sampleOperator.supportPhone;
