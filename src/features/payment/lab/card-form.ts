import { behaviourOf } from './test-cards.ts';

export const cardFields = ['cardHolder', 'cardNumber', 'expiryDate', 'cvv'] as const;
export type CardField = (typeof cardFields)[number];
export type Card = Record<CardField, string>;

/** `required`: all four have to be filled in. `not_a_test_card`: any number that is not a published test number. */
export type CardErrors = Partial<Record<CardField, 'required' | 'not_a_test_card'>>;

export function checkCard(card: Card): CardErrors {
  const empty = cardFields.filter((field) => card[field].trim() === '');
  if (empty.length > 0) return Object.fromEntries(empty.map((field) => [field, 'required']));
  return behaviourOf(card.cardNumber) ? {} : { cardNumber: 'not_a_test_card' };
}

/** What goes back into the form: a number only if it is a published one, so that a real card is never echoed. */
export function keepable(card: Card): Card {
  return { ...card, cardNumber: behaviourOf(card.cardNumber) ? card.cardNumber : '', cvv: '' };
}
