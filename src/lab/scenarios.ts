/**
 * The result of a capture at the simulated PayPal. `declined`: a capture with DECLINED in an order with COMPLETED.
 * `refused`: no capture, the call answers 422. `wrong_amount`: one dollar less than ordered.
 */
export const captureOutcomes = [
  'completed',
  'pending',
  'declined',
  'refused',
  'wrong_amount',
] as const;
export type CaptureOutcome = (typeof captureOutcomes)[number];

/**
 * What a payment at the simulated Stripe becomes. `processing`: taken on and not decided yet. `failed`: taken on, and
 * refused by the bank. `declined`: refused on the page, where another card can be tried. `wrong_amount`: one dollar
 * less than asked.
 */
export const paymentOutcomes = [
  'paid',
  'processing',
  'failed',
  'declined',
  'wrong_amount',
] as const;
export type PaymentOutcome = (typeof paymentOutcomes)[number];

/** How the webhooks about one payment are sent. `reordered`: later ones first. `never`: only by `deliver`. */
export const deliveryManners = [
  'once',
  'twice',
  'late',
  'reordered',
  'never',
  'wrong_signature',
] as const;
export type DeliveryManner = (typeof deliveryManners)[number];

/** The calls that can be made to fail. */
export const faultCalls = [
  'token',
  'create',
  'get',
  'capture',
  'refund',
  'list',
  'certificate',
] as const;
export type FaultCall = (typeof faultCalls)[number];

/**
 * `before`: fails before anything is done. `after`: done, and the response is lost. `held`: done, and not answered
 * until the caller hangs up. `limited`: 429, nothing done. `pending` and `refused`: results of a refund.
 */
export const faultKinds = [
  'error_before',
  'error_after',
  'reset_before',
  'reset_after',
  'held',
  'limited',
  'pending',
  'refused',
] as const;
export type FaultKind = (typeof faultKinds)[number];
