/** The controls of the direct card test form, in order. */
export const directCardFields = [
  'cardHolder',
  'cardNumber',
  'expiryDate-month',
  'expiryDate-year',
  'cvv',
] as const;
export type DirectCardField = (typeof directCardFields)[number];
export type DirectCard = Record<DirectCardField, string>;

/** Codes; texts in `lab:directCard.error`. */
export type DirectCardError =
  | 'holder_required'
  | 'number_too_short'
  | 'month_unreal'
  | 'year_two_digits'
  | 'cvv_three_or_four';

/** The problems, field by field, by the rules of the customer's specification; without any the card is well-formed. */
export function checkDirectCard(
  card: DirectCard,
): Partial<Record<DirectCardField, DirectCardError>> {
  const wrong: Partial<Record<DirectCardField, DirectCardError>> = {};
  if (card.cardHolder.trim() === '') wrong.cardHolder = 'holder_required';
  if (!/^\d{13,}$/.test(card.cardNumber.replace(/\s/g, ''))) wrong.cardNumber = 'number_too_short';
  if (!/^(0[1-9]|1[0-2])$/.test(card['expiryDate-month']))
    wrong['expiryDate-month'] = 'month_unreal';
  if (!/^\d{2}$/.test(card['expiryDate-year'])) wrong['expiryDate-year'] = 'year_two_digits';
  if (!/^\d{3,4}$/.test(card.cvv)) wrong.cvv = 'cvv_three_or_four';
  return wrong;
}

/** The digits of a text, at most `most`. */
export const digits = (typed: string, most: number): string =>
  typed.replace(/\D/g, '').slice(0, most);
