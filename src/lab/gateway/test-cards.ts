import { formText } from '~/platform/input/form-text.ts';

/** What a published test card makes the simulated gateway do. */
export type CardBehaviour =
  | { kind: 'completed' }
  | { kind: 'declined'; reason: string }
  | { kind: 'challenge' };

/**
 * Test numbers published by card schemes and processors. No other number is accepted, so that nobody enters a real card
 * here.
 */
export const testCards = {
  '4111111111111111': { kind: 'completed' },
  '4242424242424242': { kind: 'completed' },
  '5555555555554444': { kind: 'completed' },
  '378282246310005': { kind: 'completed' },
  '4000000000000002': { kind: 'declined', reason: 'card_declined' },
  '4000000000009995': { kind: 'declined', reason: 'insufficient_funds' },
  '4000000000000069': { kind: 'declined', reason: 'expired_card' },
  '4000000000003220': { kind: 'challenge' },
  '4000000000000119': { kind: 'declined', reason: 'processing_error' },
} as const satisfies Record<string, CardBehaviour>;
export type TestCard = (typeof testCards)[keyof typeof testCards];

/** What a typed number does; null for any number that is not a published test card. */
export function cardBehaviour(cardNumber: string): CardBehaviour | null {
  const digits = cardNumber.replace(/\s/g, '');
  return Object.hasOwn(testCards, digits) ? testCards[digits as keyof typeof testCards] : null;
}

/** Whether a text is a month of this century as the card form takes it: `12/29`. */
const isExpiry = (typed: string): boolean => /^(0[1-9]|1[0-2])\/\d{2}$/.test(typed.trim());

/** A card is valid to the end of its month (UTC). False for an invalid date. */
export function isExpired(expiry: string, now: Date): boolean {
  if (!isExpiry(expiry)) return false;
  const [month = 0, year = 0] = expiry.trim().split('/').map(Number);
  return Date.UTC(2000 + year, month) <= now.getTime();
}

/** Digits in groups of four, at most 19 characters with the spaces. */
export function groupCardNumber(typed: string): string {
  return (typed.replace(/\D/g, '').match(/.{1,4}/g) ?? []).join(' ').slice(0, 19);
}

/** Digits as MM/YY, at most 5 characters. */
export function formatExpiry(typed: string): string {
  const digits = typed.replace(/\D/g, '').slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}

/** Digits, at most 3. */
export function formatCvv(typed: string): string {
  return typed.replace(/\D/g, '').slice(0, 3);
}

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
type CardError = 'required' | 'not_a_test_card' | 'expiry_unreal';
export type CardErrors = Partial<Record<CardField, CardError>>;

export function checkCard(card: Card): CardErrors {
  const empty = cardFields.filter((field) => card[field].trim() === '');
  if (empty.length > 0) return Object.fromEntries(empty.map((field) => [field, 'required']));
  return {
    ...(!cardBehaviour(card.cardNumber) && { cardNumber: 'not_a_test_card' as const }),
    ...(!isExpiry(card.expiryDate) && { expiryDate: 'expiry_unreal' as const }),
  };
}

/** What is shown again in the form: a number only if it is a published one, so that a real card is never shown. */
export function showable(card: Card): Card {
  return { ...card, cardNumber: cardBehaviour(card.cardNumber) ? card.cardNumber : '', cvv: '' };
}
