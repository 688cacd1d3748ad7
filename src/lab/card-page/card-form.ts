import { formText } from '~/platform/input/form-text.ts';
import { behaviourOf, isExpiry } from '../gateway/test-cards.ts';

export const cardFields = ['cardHolder', 'cardNumber', 'expiryDate', 'cvv'] as const;
export type CardField = (typeof cardFields)[number];
export type Card = Record<CardField, string>;

/** The submitted card; missing fields are empty. */
export function readCard(form: FormData): Card {
  const text = (field: CardField) => formText(form, field).slice(0, 100);
  return {
    cardHolder: text('cardHolder'),
    cardNumber: text('cardNumber'),
    expiryDate: text('expiryDate'),
    cvv: text('cvv'),
  };
}

/**
 * `required`: a field is missing. `not_a_test_card`: not a published test number. `expiry_unreal`: no month and year.
 */
export type CardError = 'required' | 'not_a_test_card' | 'expiry_unreal';
export type CardErrors = Partial<Record<CardField, CardError>>;

export function checkCard(card: Card): CardErrors {
  const empty = cardFields.filter((field) => card[field].trim() === '');
  if (empty.length > 0) return Object.fromEntries(empty.map((field) => [field, 'required']));
  return {
    ...(!behaviourOf(card.cardNumber) && { cardNumber: 'not_a_test_card' as const }),
    ...(!isExpiry(card.expiryDate) && { expiryDate: 'expiry_unreal' as const }),
  };
}

/** What is shown again in the form: a number only if it is a published one, so that a real card is never shown. */
export function showable(card: Card): Card {
  return { ...card, cardNumber: behaviourOf(card.cardNumber) ? card.cardNumber : '', cvv: '' };
}
