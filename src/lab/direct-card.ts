/** The direct card test form's controls, in its order. */
export const directCardFields = [
  'cardHolder',
  'cardNumber',
  'expiryDate-month',
  'expiryDate-year',
  'cvv',
] as const;
export type DirectCardField = (typeof directCardFields)[number];
export type DirectCard = Record<DirectCardField, string>;

/** Codes; words in `lab:directCard.error`. */
export type DirectCardError =
  | 'holder_required'
  | 'number_too_short'
  | 'month_unreal'
  | 'year_two_digits'
  | 'cvv_three_or_four';

/** What is wrong, field by field (specification, section 5); nothing means a card that is well-formed, no more. */
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

/** Digits, at most so many. */
export const digits = (typed: string, most: number): string =>
  typed.replace(/\D/g, '').slice(0, most);
